/** Source of module `typing`: names used in annotations, without effect at run time. */
export const typing = `
class Generic:
    def __class_getitem__(cls, key):
        return cls

class Protocol(Generic):
    pass

TYPE_CHECKING = False

def cast(type, value):
    return value

def overload(function):
    return function

def final(function):
    return function

def no_type_check(function):
    return function

def override(function):
    return function

def assert_never(value):
    raise AssertionError(f"Expected code to be unreachable, but got: {value!r}")

def assert_type(value, type):
    return value

def reveal_type(value):
    return value

def runtime_checkable(cls):
    return cls

def get_type_hints(value, *rest):
    return {}

def TypeVar(name, *constraints, **options):
    return Generic

def ParamSpec(name, **options):
    return Generic

def NewType(name, type):
    return lambda value: value

class TypedDict(dict):
    def __init_subclass__(cls, **keywords):
        pass

class _NamedTupleMeta(type):
    def __new__(mcls, name, bases, names, **keywords):
        if not bases:
            return super().__new__(mcls, name, bases, names)
        from collections import namedtuple
        fields = list(names.get("__annotations__", ()))
        seen = None
        for field in fields:
            if field in names:
                seen = field
            elif seen is not None:
                raise TypeError(f"Non-default namedtuple field {field} cannot follow default field {seen}")
        defaults = [names[field] for field in fields if field in names]
        made = namedtuple(name, fields, defaults=defaults)
        for key, value in names.items():
            if key not in fields and key not in ("__qualname__", "__module__"):
                setattr(made, key, value)
        return made
    def __call__(cls, title, fields=(), **named):
        from collections import namedtuple
        return namedtuple(title, [field for field, _ in fields] or list(named))

class NamedTuple(metaclass=_NamedTupleMeta):
    pass
`;

/** Names of `typing` used only in annotations and as base classes. */
export const typingNames: readonly string[] = (
  "Any Union Optional List Dict Tuple Set FrozenSet Type Callable Iterable Iterator Sequence " +
  "Mapping MutableMapping Generator Literal ClassVar Final Annotated NoReturn Self Hashable " +
  "Sized Collection Awaitable Coroutine AsyncIterator Text AnyStr Concatenate TypeAlias Never " +
  "MutableSequence DefaultDict OrderedDict Counter Deque SupportsInt SupportsFloat " +
  "Unpack LiteralString Required NotRequired TypeGuard Container Reversible"
).split(" ");

/** Source of module `abc`. */
export const abc = `
class ABCMeta(type):
    def __call__(cls, *args, **keywords):
        _check(cls)
        return super().__call__(*args, **keywords)
    def register(cls, subclass):
        return subclass

def abstractmethod(function):
    if isinstance(function, property):
        function.fget.__isabstractmethod__ = True
    elif isinstance(function, (classmethod, staticmethod)):
        function.__func__.__isabstractmethod__ = True
    else:
        function.__isabstractmethod__ = True
    return function

def _is_abstract(value):
    if isinstance(value, property):
        return _is_abstract(value.fget) or _is_abstract(value.fset)
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    return getattr(value, "__isabstractmethod__", False) is True

def _check(cls):
    names = {n for t in cls.__mro__ for n in vars(t)}
    missing = sorted(n for n in names if _is_abstract(next(vars(t)[n] for t in cls.__mro__ if n in vars(t))))
    if missing:
        what = f"abstract method{'s' if len(missing) > 1 else ''} {', '.join(missing)}"
        raise TypeError(f"Can't instantiate abstract class {cls.__name__} with {what}")

class ABC:
    def __new__(cls, *args, **keywords):
        _check(cls)
        return object.__new__(cls)
`;

/** Source of module `copy`. */
export const copy = `
def copy(value):
    if hasattr(value, "__copy__"):
        return value.__copy__()
    if type(value) in (list, dict, set):
        return value.copy()
    if hasattr(value, "__dict__") and not isinstance(value, type):
        made = object.__new__(type(value))
        for name, item in vars(value).items():
            object.__setattr__(made, name, item)
        return made
    return value

def deepcopy(value, memo=None):
    memo = {} if memo is None else memo
    if id(value) in memo:
        return memo[id(value)]
    if hasattr(value, "__deepcopy__"):
        made = memo[id(value)] = value.__deepcopy__(memo)
        return made
    kind = type(value)
    if kind is list:
        made = memo[id(value)] = []
        made.extend(deepcopy(item, memo) for item in value)
        return made
    if kind is dict:
        made = memo[id(value)] = {}
        for key, item in value.items():
            made[deepcopy(key, memo)] = deepcopy(item, memo)
        return made
    if kind in (tuple, set, frozenset):
        return kind(deepcopy(item, memo) for item in value)
    if hasattr(value, "__dict__") and not isinstance(value, type):
        made = memo[id(value)] = object.__new__(kind)
        for name, item in vars(value).items():
            object.__setattr__(made, name, deepcopy(item, memo))
        return made
    return value
`;

/** Source of module `contextlib`. */
export const contextlib = `
class _Manager:
    def __init__(self, make):
        self._make, self._generator = make, make()
    def __call__(self, function):
        def inside(*args, **keywords):
            with _Manager(self._make):
                return function(*args, **keywords)
        return inside
    def __enter__(self):
        return next(self._generator)
    def __exit__(self, kind, value, traceback):
        if kind is None:
            for _ in self._generator:
                raise RuntimeError("generator didn't stop")
            return False
        try:
            self._generator.throw(value)
        except StopIteration:
            return True
        except BaseException as raised:
            if raised is not value:
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")

def contextmanager(function):
    def wrapper(*args, **keywords):
        return _Manager(lambda: function(*args, **keywords))
    return wrapper

class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result
    def __enter__(self):
        return self.enter_result
    def __exit__(self, *raised):
        return None

class suppress:
    def __init__(self, *kinds):
        self._kinds = kinds
    def __enter__(self):
        return None
    def __exit__(self, kind, value, traceback):
        return kind is not None and issubclass(kind, self._kinds)
`;

/** Source of module `types`. */
export const types = `
class SimpleNamespace:
    def __init__(self, /, **keywords):
        self.__dict__.update(keywords)
    def __repr__(self):
        return f"namespace({', '.join(f'{n}={v!r}' for n, v in vars(self).items())})"
    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and vars(self) == vars(other)

class MappingProxyType(dict):
    pass
`;

/** Source of module `string`: its constants. */
export const string = `
ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = ascii_lowercase.upper()
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdefABCDEF"
octdigits = "01234567"
punctuation = r"""!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~"""
whitespace = " \\t\\n\\r\\v\\f"
printable = digits + ascii_letters + punctuation + whitespace

def capwords(s, sep=None):
    return (sep or " ").join(word.capitalize() for word in s.split(sep))
`;
