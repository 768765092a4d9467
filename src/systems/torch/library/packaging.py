# `packaging.version`: texts of versions and their order.
class Version:
    def __init__(self, version):
        base, _, self.local = version.partition("+")
        self.text = version
        numbers = []
        for part in base.split("."):
            digits = ""
            for c in part:
                if not c.isdigit():
                    break
                digits += c
            numbers.append(int(digits or 0))
        self.base_version = ".".join(str(n) for n in numbers)
        while len(numbers) > 1 and numbers[-1] == 0:
            numbers.pop()
        self.release = tuple(numbers)
        self.major = numbers[0]
        self.minor = numbers[1] if len(numbers) > 1 else 0
    def __lt__(self, other):
        return self.release < other.release
    def __le__(self, other):
        return self.release <= other.release
    def __gt__(self, other):
        return self.release > other.release
    def __ge__(self, other):
        return self.release >= other.release
    def __eq__(self, other):
        return self.release == other.release
    def __str__(self):
        return self.text

def parse(version):
    return Version(version)

LegacyVersion = Version
