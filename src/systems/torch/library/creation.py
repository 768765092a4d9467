# Functions that make tensors out of sizes and values, by the signatures of PyTorch 2.
def linspace(start, end, steps, *, dtype=None, **options):
    given = [start, end, steps]
    if any(is_unknown(each) or is_tensor(each) for each in given):
        return torch.empty(steps, dtype=dtype)
    if steps < 2 or end == start:
        return torch.full((steps,), float(start), dtype=dtype)
    step = (end - start) / (steps - 1)
    return torch.arange(float(start), end + step / 2, step, dtype=dtype)

def logspace(start, end, steps, *, dtype=None, **options):
    return torch.empty(steps, dtype=dtype)

def eye(n, m=None, *, dtype=None, **options):
    return torch.empty(n, n if m is None else m, dtype=dtype)

def range_(start=0, end=0, step=1, *, dtype=None, **options):
    return torch.empty(int((end - start) / step) + 1, dtype=dtype)

def randperm(n, *, dtype=None, **options):
    return torch.empty(n, dtype=dtype or torch.int64)

def normal(mean=0.0, std=1.0, size=None, **options):
    if size is not None:
        return torch.randn(*size)
    return torch.randn_like(mean if is_tensor(mean) else std)

def hann_window(window_length, *args, dtype=None, **options):
    return torch.empty(window_length, dtype=dtype)

hamming_window = kaiser_window = blackman_window = bartlett_window = hann_window

def randint_like(input, *args, dtype=None, **options):
    return torch.zeros_like(input, dtype=dtype)

def multinomial(input, num_samples, replacement=False, generator=None):
    names = _names(input.dim())
    return operator("multinomial", " ".join(names[:-1] + [names[-1] + "^"]) + " -> " + " ".join(names[:-1] + [str(num_samples)]), input)

def numel(input):
    return input.numel()

def is_floating_point(input):
    return not str(input.dtype).split(".")[-1].startswith(("i", "u", "bool", "long", "short"))

def is_complex(input):
    return False

def as_tensor(data, dtype=None, device=None):
    if is_tensor(data):
        data = as_torch(data)
        return data if dtype is None else data.to(dtype)
    return torch.tensor(data, dtype=dtype)

asarray = as_tensor

def from_numpy(data):
    if isinstance(data, (list, tuple, int, float)):
        raise TypeError("expected np.ndarray (got %s)" % type(data).__name__)
    return as_tensor(data)

def scalar_tensor(value, *, dtype=None, **options):
    return torch.tensor(value, dtype=dtype or torch.get_default_dtype())

def zero_(input):
    return torch.zeros_like(input)

def empty_strided(size, stride, **options):
    return torch.empty(size, **options)

empty_permuted = empty_strided
