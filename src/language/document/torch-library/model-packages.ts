/** The configuration of minGPT and of yacs: fields that are set by name. */
export const configNode = `
class CfgNode:
    def __init__(self, init_dict=None, **options):
        self.merge_from_dict(init_dict or {})
        self.merge_from_dict(options)
    def merge_from_dict(self, fields):
        for key, value in fields.items():
            setattr(self, key, value)
    def merge_from_list(self, pairs):
        self.merge_from_dict(dict(zip(pairs[::2], pairs[1::2])))
    def merge_from_args(self, args):
        for each in args:
            key, _, value = each.lstrip("-").partition("=")
            setattr(self, key, value)
    def to_dict(self):
        return dict(self.__dict__)
    def clone(self):
        copy = CfgNode()
        copy.merge_from_dict(self.__dict__)
        return copy
    def freeze(self):
        return None
    defrost = freeze
`;

/** `packaging.version`: texts of versions and their order. */
export const packaging = `
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
`;
