# A device by its kind and its number; to a graph all devices are alike.
class device:
    def __init__(self, type=None, index=None):
        if isinstance(type, device):
            type, index = type.type, type.index
        elif isinstance(type, int):
            type, index = "cuda", type
        elif isinstance(type, str) and ":" in type:
            if index is not None:
                raise RuntimeError("type (string) must not include an index because index was passed explicitly: " + type)
            type, _, number = type.partition(":")
            index = int(number) if number.isdigit() else None
        self.type = type
        self.index = index

    def __eq__(self, other):
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self):
        return hash((self.type, self.index))

    def __str__(self):
        return self.type if self.index is None else "%s:%d" % (self.type, self.index)

    def __repr__(self):
        number = "" if self.index is None else ", index=%d" % self.index
        return "device(type='%s'%s)" % (self.type, number)

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        return None

    def __call__(self, function):
        return function
