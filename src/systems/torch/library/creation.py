# Functions that make tensors out of sizes and values, by the signatures of PyTorch 2.
def linspace(start, end, steps, **options):
    return torch.empty(steps)

logspace = linspace

def eye(n, m=None, **options):
    return torch.empty(n, n if m is None else m)

def range_(start=0, end=0, step=1, **options):
    return torch.empty(int((end - start) / step) + 1)

def randperm(n, **options):
    return torch.empty(n, dtype="int64")

def normal(mean=0.0, std=1.0, size=None, **options):
    if size is not None:
        return torch.randn(*size)
    return torch.randn_like(mean if is_tensor(mean) else std)

def hann_window(window_length, **options):
    return torch.empty(window_length)

hamming_window = kaiser_window = blackman_window = bartlett_window = hann_window

def randint_like(input, *args, **options):
    return torch.zeros_like(input)

def multinomial(input, num_samples, replacement=False, generator=None):
    names = _names(input.dim())
    return operator("multinomial", " ".join(names[:-1] + [names[-1] + "^"]) + " -> " + " ".join(names[:-1] + [str(num_samples)]), input)

def numel(input):
    return input.numel()

def is_floating_point(input):
    return str(input.dtype).find("int") < 0 and str(input.dtype).find("bool") < 0

def is_complex(input):
    return False

def as_tensor(data, dtype=None, device=None):
    return data if is_tensor(data) else torch.tensor(data)

from_numpy = asarray = as_tensor

def scalar_tensor(value, **options):
    return torch.tensor(value)

def zero_(input):
    return torch.zeros_like(input)

def empty_strided(size, stride, **options):
    return torch.empty(size, **options)

empty_permuted = empty_strided
