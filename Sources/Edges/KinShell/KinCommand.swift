import Kin
