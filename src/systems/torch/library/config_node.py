# The configuration of minGPT and of yacs: fields that are set by name.
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
