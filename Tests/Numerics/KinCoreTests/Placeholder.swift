import KinCore
