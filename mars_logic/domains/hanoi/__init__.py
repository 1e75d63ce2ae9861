"""The tower of Hanoi: disks on three rods, never a larger one on a smaller one."""
