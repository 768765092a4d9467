/** Source of module `functools`. */
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

def _other(sign, name, result):
    def compare(self, other):
        given = getattr(type(self), name)(self, other)
        return given if given is NotImplemented else result(given, self, other)
    compare.__name__ = sign
    return compare

def total_ordering(cls):
    own = {name for t in cls.__mro__ if t is not object for name in vars(t)}
    root = next((n for n in ("__lt__", "__le__", "__gt__", "__ge__") if n in own), None)
    if root is None:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    strict = root in ("__lt__", "__gt__")
    mirror = {"__lt__": "__gt__", "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__"}
    near = {"__lt__": "__le__", "__le__": "__lt__", "__gt__": "__ge__", "__ge__": "__gt__"}[root]
    rules = {
        mirror[root]: lambda given, a, b: not given and a != b if strict else not given or a == b,
        near: lambda given, a, b: given or a == b if strict else given and a != b,
        mirror[near]: lambda given, a, b: not given,
    }
    for name, rule in rules.items():
        if name not in own:
            setattr(cls, name, _other(name, root, rule))
    return cls

def singledispatch(function):
    registry = {object: function}
    def register(kind, implementation=None):
        if implementation is None and isinstance(kind, type):
            return lambda chosen: register(kind, chosen)
        if implementation is None:
            raise TypeError("register() needs the type as its argument here")
        registry[kind] = implementation
        return implementation
    def dispatch(kind):
        return next(registry[t] for t in kind.__mro__ if t in registry)
    def wrapper(*args, **keywords):
        if not args:
            raise TypeError(f"{function.__name__} requires at least 1 positional argument")
        return dispatch(type(args[0]))(*args, **keywords)
    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return update_wrapper(wrapper, function)
`;
