"""Plans and their certificates: action sequences that replay in the simulator."""
