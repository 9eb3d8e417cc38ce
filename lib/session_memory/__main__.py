"""``python -m session_memory``; the demo needs nothing but the standard library."""

import sys


def main() -> int:
    """Run the command line; its exit code."""
    if sys.argv[1:2] == ["demo"]:
        from session_memory import demo

        return demo.main()
    try:
        from session_memory.cli.main import main as command
    except ModuleNotFoundError as missing:
        need = "pip install session-memory-hooks"
        sys.stderr.write(f"session-memory: {missing.name} is not installed; {need}\n")
        return 2
    command()
    return 0


if __name__ == "__main__":
    sys.exit(main())
