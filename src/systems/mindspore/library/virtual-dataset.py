# `_VirtualDataset`, which stands where a net is fed and is gone before anything runs: it gives what it is given, as a tuple.
class _VirtualDataset:
    def __init__(self):
        self.name = "_VirtualDataset"
    def add_prim_attr(self, name, value):
        return self
    def shard(self, in_strategy=None, out_strategy=None):
        return self
    def __call__(self, *inputs):
        return inputs

virtual_dataset = _VirtualDataset()
