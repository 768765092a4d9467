# Models of pydantic 2: annotated fields with defaults, and the validators that a text gives them.
import copy
import dataclasses
from torch._operators import arity

_missing = dataclasses.MISSING

class ValidationError(ValueError):
    pass

class FieldInfo:
    def __init__(self, default, default_factory, alias, init):
        self.default = default
        self.default_factory = default_factory
        self.alias = alias
        self.init = init
    def is_required(self):
        return self.default is _missing and self.default_factory is None
    def get_default(self, call_default_factory=True):
        if self.default_factory is not None:
            return self.default_factory()
        return copy.deepcopy(self.default)

def Field(default=_missing, *, default_factory=None, alias=None, init=True, **options):
    if default is ...:
        default = _missing
    return FieldInfo(default, default_factory, options.get("validation_alias", alias), init)

PrivateAttr = Field

def ConfigDict(**options):
    return options

class _Rule:
    def __init__(self, kind, names, mode, function):
        self.kind, self.names, self.mode = kind, names, mode
        self.function = getattr(function, "__func__", function)
    def __get__(self, instance, owner):
        return self.function if instance is None else lambda *args: self.function(instance, *args)

def field_validator(*names, mode="after", **options):
    return lambda function: _Rule("field", names, mode, function)

def validator(*names, pre=False, **options):
    return lambda function: _Rule("field", names, "before" if pre else "after", function)

def model_validator(*, mode):
    return lambda function: _Rule("model", (), mode, function)

def root_validator(*given, pre=False, **options):
    if given:
        return _Rule("root", (), "after", given[0])
    return lambda function: _Rule("root", (), "before" if pre else "after", function)

def _as_it_is(*given, **options):
    if given and not isinstance(given[0], str):
        return given[0]
    return lambda function: function

computed_field = field_serializer = model_serializer = validate_call = validate_arguments = _as_it_is

def _all(cls, name):
    found = {}
    for each in reversed(cls.__mro__):
        found.update(vars(each).get(name, {}))
    return found

def _fields(cls):
    known = vars(cls).get("__pydantic_fields__")
    if known is not None:
        return known
    found = {}
    for each in reversed(cls.__mro__):
        for name in vars(each).get("__annotations__", ()):
            if name.startswith("_") or name == "model_config":
                continue
            given = vars(each).get(name, _missing)
            found[name] = given if isinstance(given, FieldInfo) else FieldInfo(given, None, None, True)
        for name, given in vars(each).items():
            if name in found and not isinstance(given, FieldInfo):
                found[name] = FieldInfo(given, None, found[name].alias, True)
    cls.__pydantic_fields__ = found
    return found

def _rules(cls):
    named = {}
    for each in reversed(cls.__mro__):
        named.update({name: rule for name, rule in vars(each).items() if isinstance(rule, _Rule)})
    return list(named.values())

class _Info:
    def __init__(self, name, data):
        self.field_name, self.data, self.context, self.mode = name, data, None, "python"

def _checked(cls, name, value, values, mode):
    for rule in _rules(cls):
        if rule.kind != "field" or not (name in rule.names or "*" in rule.names):
            continue
        if (rule.mode != "after") != (mode == "before"):
            continue
        more = [lambda given: given] if rule.mode == "wrap" else []
        if arity(rule.function) == 3 + len(more):
            more.append(_Info(name, values))
        value = rule.function(cls, value, *more)
    return value

def _failed(cls, faults):
    plural = "s" if len(faults) > 1 else ""
    lines = "".join("\n%s\n  %s" % fault for fault in faults)
    raise ValidationError("%d validation error%s for %s%s" % (len(faults), plural, cls.__name__, lines))

def _filled(self, given):
    cls, values, faults = type(self), {}, []
    for rule in _rules(cls):
        if rule.kind in ("model", "root") and rule.mode == "before":
            given = rule.function(cls, given)
    entries = _fields(cls)
    taken = set()
    for name, entry in entries.items():
        key = entry.alias if entry.alias in given else name
        if key in given:
            taken.add(key)
            try:
                value = _checked(cls, name, given[key], values, "before")
                values[name] = _checked(cls, name, value, values, "after")
            except ValueError as fault:
                faults.append((name, "Value error, %s" % fault))
            except AssertionError as fault:
                faults.append((name, "Assertion failed, %s" % fault))
        elif entry.is_required():
            faults.append((name, "Field required"))
        else:
            values[name] = entry.get_default()
    extra = {key: value for key, value in given.items() if key not in taken}
    config = _config(cls)
    if extra and config.get("extra") == "forbid":
        faults.extend((key, "Extra inputs are not permitted") for key in extra)
    if faults:
        _failed(cls, faults)
    if config.get("extra") == "allow":
        values.update(extra)
    object.__setattr__(self, "__dict_of_fields__", list(values))
    object.__setattr__(self, "__given__", {name for name in values if name in given or entries[name].alias in given})
    for each in reversed(cls.__mro__):
        for name, entry in vars(each).items():
            if name.startswith("_") and isinstance(entry, FieldInfo):
                object.__setattr__(self, name, entry.get_default())
    for name, value in values.items():
        object.__setattr__(self, name, value)

def _config(cls):
    found = {}
    for each in reversed(cls.__mro__):
        found.update(vars(each).get("model_config", None) or {})
        found.update(vars(each).get("__options__", {}))
        old = vars(each).get("Config")
        if old is not None:
            found.update({key: value for key, value in vars(old).items() if not key.startswith("__")})
    return found

def _plain(value):
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(item) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value

class _ModelType(type):
    @property
    def model_fields(cls):
        return _fields(cls)
    __fields__ = model_fields

class BaseModel(metaclass=_ModelType):
    model_config = {}
    def __init_subclass__(cls, **options):
        cls.__options__ = options
    def __init__(self, /, **data):
        _filled(self, data)
        for rule in _rules(type(self)):
            if rule.kind == "model" and rule.mode == "after":
                rule.function(self)
        self.model_post_init(None)
    def model_post_init(self, context):
        return None
    def __setattr__(self, name, value):
        cls = type(self)
        config = _config(cls)
        if config.get("frozen") and not name.startswith("_"):
            _failed(cls, [(name, "Instance is frozen")])
        if name not in _fields(cls) and not name.startswith("_") and config.get("extra") != "allow":
            if not isinstance(getattr(cls, name, None), property):
                raise ValueError('"%s" object has no field "%s"' % (cls.__name__, name))
        if name not in self.__dict_of_fields__ and not name.startswith("_"):
            self.__dict_of_fields__.append(name)
        object.__setattr__(self, name, value)
    @property
    def model_fields_set(self):
        return self.__given__
    @property
    def model_extra(self):
        return {name: getattr(self, name) for name in self.__dict_of_fields__ if name not in _fields(type(self))}
    def _pairs(self):
        return [(name, getattr(self, name)) for name in self.__dict_of_fields__]
    def __iter__(self):
        return iter(self._pairs())
    def __eq__(self, other):
        return type(other) is type(self) and self._pairs() == other._pairs()
    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, ", ".join("%s=%r" % pair for pair in self._pairs()))
    def __str__(self):
        return " ".join("%s=%r" % pair for pair in self._pairs())
    def model_dump(self, *, include=None, exclude=None, exclude_none=False, exclude_unset=False, exclude_defaults=False, **options):
        kept = {}
        for name, value in self._pairs():
            if include is not None and name not in include or exclude is not None and name in exclude:
                continue
            if exclude_none and value is None or exclude_unset and name not in self.__given__:
                continue
            entry = _fields(type(self)).get(name)
            if exclude_defaults and entry is not None and not entry.is_required() and entry.get_default() == value:
                continue
            kept[name] = _plain(value)
        return kept
    def dict(self, **options):
        return self.model_dump(**options)
    def model_copy(self, *, update=None, deep=False):
        made = type(self).model_construct(**{name: value for name, value in self._pairs()})
        for name, value in (update or {}).items():
            object.__setattr__(made, name, value)
        return made
    def copy(self, *, update=None, deep=False, **options):
        return self.model_copy(update=update, deep=deep)
    @classmethod
    def model_construct(cls, _fields_set=None, **values):
        made = object.__new__(cls)
        given = {name: entry.get_default() for name, entry in _fields(cls).items() if not entry.is_required()}
        given.update(values)
        object.__setattr__(made, "__dict_of_fields__", [n for n in _fields(cls) if n in given] + [n for n in given if n not in _fields(cls)])
        object.__setattr__(made, "__given__", set(values))
        for name, value in given.items():
            object.__setattr__(made, name, value)
        return made
    construct = model_construct
    @classmethod
    def model_validate(cls, obj, **options):
        return obj if isinstance(obj, cls) else cls(**obj)
    parse_obj = model_validate
    @classmethod
    def model_rebuild(cls, **options):
        return None
    update_forward_refs = model_rebuild

BaseSettings = BaseModel

def SettingsConfigDict(**options):
    return options

def dataclass(cls=None, /, *, config=None, **options):
    def decorate(cls):
        for name, given in list(vars(cls).items()):
            if isinstance(given, FieldInfo):
                held = {} if given.default is _missing else {"default": given.default}
                if given.default_factory is not None:
                    held = {"default_factory": given.default_factory}
                setattr(cls, name, dataclasses.field(**held))
        known = ("init", "repr", "eq", "order", "unsafe_hash", "frozen", "kw_only", "slots")
        return dataclasses.dataclass(**{k: v for k, v in options.items() if k in known})(cls)
    return decorate if cls is None else decorate(cls)

PositiveInt = NonNegativeInt = StrictInt = int
PositiveFloat = NonNegativeFloat = StrictFloat = float
StrictStr, StrictBool = str, bool

def conint(**options):
    return int

def confloat(**options):
    return float

def constr(**options):
    return str
