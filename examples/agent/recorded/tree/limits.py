MAX_FILES = 10


def check_files(files):
    if len(files) > MAX_FILES:
        raise ValueError("too many files")


def check_lines(lines):
    if len(lines) > 1000:
        raise ValueError("too many lines")
