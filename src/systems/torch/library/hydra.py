# Hydra and OmegaConf: configurations that a text holds itself; one that a file holds is unknown.
import functools
from dataclasses import fields, is_dataclass
from _arguments import unsaid
from torch._operators import is_unknown

MISSING = "???"
_stored = {}

class ConfigStore:
    @staticmethod
    def instance():
        return _store
    def store(self, name=None, node=None, group=None, package="_group_", provider=None):
        if group is None:
            _stored[str(name).removesuffix(".yaml")] = node

_store = ConfigStore()

class DictConfig(dict):
    def __init__(self, content=None, flags=None, **options):
        super().__init__()
        for key, value in {**(content or {}), **options}.items():
            self[key] = _held(value)
    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(f"Missing key {name}")
    def __setattr__(self, name, value):
        self[name] = _held(value)

class ListConfig(list):
    pass

def _held(value):
    if isinstance(value, dict):
        return DictConfig(value)
    if isinstance(value, (list, tuple)):
        return ListConfig([_held(each) for each in value])
    if is_dataclass(value):
        made = value() if isinstance(value, type) else value
        return DictConfig({each.name: getattr(made, each.name) for each in fields(made)})
    return value

def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value

def _merged(into, other):
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merged(into[key], value)
        else:
            into[key] = _held(value)
    return into

class OmegaConf:
    @staticmethod
    def create(obj=None, parent=None, flags=None):
        return _held({} if obj is None else obj)
    @staticmethod
    def structured(obj, parent=None, flags=None):
        return _held(obj)
    @staticmethod
    def load(file_):
        return unsaid(file_ if isinstance(file_, str) else "OmegaConf.load()")
    @staticmethod
    def from_cli(args_list=None):
        return DictConfig()
    @staticmethod
    def merge(*configs):
        # What nobody knows may replace anything.
        for each in configs:
            if is_unknown(each):
                return each
        made = DictConfig()
        for each in configs:
            _merged(made, _held(each))
        return made
    @staticmethod
    def to_container(cfg, *, resolve=False, throw_on_missing=False, enum_to_str=False, structured_config_mode=None):
        return _plain(cfg)
    @staticmethod
    def to_object(cfg):
        return _plain(cfg)
    @staticmethod
    def to_yaml(cfg, *, resolve=False, sort_keys=False):
        return str(cfg)
    @staticmethod
    def resolve(cfg):
        return None
    @staticmethod
    def save(config, f, resolve=False):
        return None
    @staticmethod
    def set_struct(conf, value):
        return None
    set_readonly = set_struct
    @staticmethod
    def register_new_resolver(name, resolver, *, replace=False, use_cache=False):
        return None
    @staticmethod
    def select(cfg, key, *, default=None, throw_on_resolution_failure=True, throw_on_missing=False):
        for part in key.split("."):
            if part not in cfg:
                return default
            cfg = cfg[part]
        return cfg
    @staticmethod
    def is_config(obj):
        return isinstance(obj, (DictConfig, ListConfig))
    @staticmethod
    def is_dict(obj):
        return isinstance(obj, DictConfig)
    @staticmethod
    def is_list(obj):
        return isinstance(obj, ListConfig)

def open_dict(config):
    return _Unlocked(config)
read_write = open_dict

class _Unlocked:
    def __init__(self, config):
        self.config = config
    def __enter__(self):
        return self.config
    def __exit__(self, *fault):
        return None

def main(version_base=None, config_path=None, config_name=None):
    def decorate(task):
        @functools.wraps(task)
        def run(cfg=None):
            return task(_configured(config_path, config_name) if cfg is None else cfg)
        return run
    return decorate

def _configured(folder, name):
    if name is None:
        return DictConfig()
    name = str(name).removesuffix(".yaml")
    if name in _stored:
        return _held(_stored[name])
    return unsaid((f"{folder}/" if folder else "") + f"{name}.yaml: cfg")

def compose(config_name=None, overrides=(), return_hydra_config=False, strict=None):
    return _configured(None, config_name)

def initialize(version_base=None, config_path=None, job_name="app"):
    return _Unlocked(None)
initialize_config_dir = initialize_config_module = initialize
