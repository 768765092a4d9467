/** `functools`. */
export const functools = `
def reduce(function, iterable, *initial):
    items = iter(iterable)
    if initial:
        value = initial[0]
    else:
        try:
            value = next(items)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    for item in items:
        value = function(value, item)
    return value

class partial:
    def __init__(self, func, /, *args, **keywords):
        if not callable(func):
            raise TypeError("the first argument must be callable")
        self.func = func
        self.args = args
        self.keywords = keywords
    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})

def update_wrapper(wrapper, wrapped, *rest):
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        if hasattr(wrapped, name):
            setattr(wrapper, name, getattr(wrapped, name))
    wrapper.__wrapped__ = wrapped
    return wrapper

def wraps(wrapped, *rest):
    return lambda wrapper: update_wrapper(wrapper, wrapped)

def lru_cache(maxsize=128, typed=False):
    def decorate(function):
        known = {}
        def wrapper(*args, **keywords):
            key = (args, tuple(sorted(keywords.items())))
            if key not in known:
                known[key] = function(*args, **keywords)
            return known[key]
        wrapper.cache_clear = known.clear
        return update_wrapper(wrapper, function)
    if callable(maxsize):
        return decorate(maxsize)
    return decorate

def cache(function):
    return lru_cache(None)(function)

class cached_property:
    def __init__(self, func):
        self.func = func
    def __set_name__(self, owner, name):
        self.name = name
    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = self.func(instance)
        object.__setattr__(instance, self.name, value)
        return value

def cmp_to_key(compare):
    class Key:
        def __init__(self, value):
            self.value = value
        def __lt__(self, other):
            return compare(self.value, other.value) < 0
        def __eq__(self, other):
            return compare(self.value, other.value) == 0
    return Key

def total_ordering(cls):
    return cls
`;
