import KinShell
