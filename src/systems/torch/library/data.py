# `torch.utils.data`: data sets, and loaders, of which one batch is drawn.
import torch
from torch._operators import batch_of, is_unknown

def _sized(name, count):
    if not is_unknown(count) and (not isinstance(count, int) or isinstance(count, bool) or count <= 0):
        raise ValueError("%s should be a positive integer value, but got %s=%s" % (name, name, count))

class Dataset:
    def __class_getitem__(cls, item):
        return cls
    def __add__(self, other):
        return ConcatDataset([self, other])
    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

class IterableDataset(Dataset):
    pass

def first_of(dataset):
    return next(iter(dataset)) if isinstance(dataset, IterableDataset) else dataset[0]

class TensorDataset(Dataset):
    def __init__(self, *tensors):
        if len({each.shape[0] for each in tensors}) > 1:
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors
    def __getitem__(self, index):
        return tuple(t[index] for t in self.tensors)
    def __len__(self):
        return self.tensors[0].shape[0]

class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices
    def __getitem__(self, index):
        return self.dataset[index]
    def __len__(self):
        return len(self.indices)

class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
    def __getitem__(self, index):
        return self.datasets[0][index]
    def __len__(self):
        return sum(len(d) for d in self.datasets)

ChainDataset = ConcatDataset

def random_split(dataset, lengths, generator=None):
    total = len(dataset)
    counts = [int(n * total) if isinstance(n, float) else n for n in lengths]
    is_shared = any(isinstance(n, float) for n in lengths)
    if abs(sum(lengths) - 1) > 1e-9 if is_shared else sum(counts) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    return [Subset(dataset, range(n)) for n in counts]

class Sampler:
    def __init__(self, data_source=None, *args, **kwargs):
        self.data_source = data_source
    def __len__(self):
        return len(self.data_source)
    def set_epoch(self, epoch):
        pass

class RandomSampler(Sampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        super().__init__(data_source)
        if not is_unknown(replacement) and not isinstance(replacement, bool):
            raise TypeError("replacement should be a boolean value, but got replacement=%s" % (replacement,))
        if num_samples is not None:
            _sized("num_samples", num_samples)

class SequentialSampler(Sampler):
    pass

class DistributedSampler(Sampler):
    def __init__(self, dataset, num_replicas=None, rank=None, *args, **kwargs):
        super().__init__(dataset)
        if isinstance(num_replicas, int) and isinstance(rank, (int, float)) and not 0 <= rank < num_replicas:
            raise ValueError("Invalid rank %s, rank should be in the interval [0, %d]" % (rank, num_replicas - 1))

class SubsetRandomSampler(Sampler):
    pass

class WeightedRandomSampler(Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        super().__init__(weights)
        _sized("num_samples", num_samples)

class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        _sized("batch_size", batch_size)
        if not is_unknown(drop_last) and not isinstance(drop_last, bool):
            raise ValueError("drop_last should be a boolean value, but got drop_last=%s" % (drop_last,))
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last
    def __len__(self):
        return -(-len(self.sampler) // self.batch_size)

class DataLoader:
    def __class_getitem__(cls, item):
        return cls
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, prefetch_factor=None, persistent_workers=False, pin_memory_device="", in_order=True):
        if not is_unknown(dataset) and (dataset is None or isinstance(dataset, (int, float))):
            raise TypeError("object of type '%s' has no len()" % type(dataset).__name__)
        workers = None if is_unknown(num_workers) else num_workers
        if workers is None and not is_unknown(num_workers) or isinstance(workers, float):
            raise TypeError("num_workers must be an integer, not %s" % type(num_workers).__name__)
        rows = None if is_unknown(batch_size) else batch_size
        is_own = batch_sampler is not None and not is_unknown(batch_sampler)
        if workers is not None and workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if workers == 0 and prefetch_factor is not None and not is_unknown(prefetch_factor):
            raise ValueError("prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None.")
        if workers == 0 and persistent_workers is True:
            raise ValueError("persistent_workers option needs num_workers > 0")
        if sampler is not None and not is_unknown(sampler) and shuffle is True:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if is_own and (rows not in (1, None) or shuffle is True or sampler is not None or drop_last is True):
            raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last")
        if rows is not None:
            _sized("batch_size", rows)
        if not is_unknown(drop_last) and not isinstance(drop_last, bool):
            raise ValueError("drop_last should be a boolean value, but got drop_last=%s" % (drop_last,))
        if rows is None and not is_unknown(batch_size) and drop_last is True and not is_own:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with shuffle, and drop_last")
        if not is_unknown(timeout) and timeout < 0:
            raise ValueError("timeout option should be non-negative")
        for given in (sampler, batch_sampler):
            if not is_unknown(given) and isinstance(given, (int, float)):
                raise TypeError("'%s' object is not iterable" % type(given).__name__)
        self.dataset = dataset
        self.pin_memory, self.timeout, self.worker_init_fn, self.generator = pin_memory, timeout, worker_init_fn, generator
        self.prefetch_factor, self.persistent_workers, self.pin_memory_device = prefetch_factor, persistent_workers, pin_memory_device
        self.multiprocessing_context, self.in_order = multiprocessing_context, in_order
        self.batch_size = batch_size if batch_sampler is None else getattr(batch_sampler, "batch_size", 1)
        self.sampler = sampler if sampler is not None else Sampler(dataset)
        self.batch_sampler = batch_sampler
        self.own_sampler = batch_sampler if sampler is None else sampler
        self.num_workers = num_workers
        self.collate_fn = collate_fn
        self.drop_last = drop_last
    def __iter__(self):
        is_listed = not is_unknown(self.dataset) and isinstance(self.dataset, Dataset) and not isinstance(self.dataset, IterableDataset)
        if is_listed and self.own_sampler is None and not hasattr(self.dataset, "__len__"):
            raise TypeError("object of type '%s' has no len()" % type(self.dataset).__name__)
        if not is_unknown(self.num_workers) and not is_unknown(self.timeout) and self.num_workers == 0 and self.timeout > 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        return iter([batch_of(self.dataset, lambda: first_of(self.dataset), self.batch_size, self.collate_fn)])
    def __len__(self):
        count = len(self.dataset)
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)

def default_collate(batch):
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(list(batch))
    if isinstance(first, dict):
        return {k: default_collate([each[k] for each in batch]) for k in first}
    if isinstance(first, (tuple, list)):
        return [default_collate(list(column)) for column in zip(*batch)]
    if isinstance(first, (int, float)):
        return torch.tensor(list(batch))
    return list(batch)

def get_worker_info():
    return None
