import KinIndex
