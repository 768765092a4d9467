# `argparse` as a text runs it that nobody gives arguments: every option has its default.
from _arguments import unsaid

class Namespace:
    def __init__(self, **kwargs):
        for name in kwargs:
            setattr(self, name, kwargs[name])
    def __contains__(self, name):
        return hasattr(self, name)

class ArgumentParser:
    def __init__(self, *args, **kwargs):
        self.values = {}
    def add_argument(self, *names, **options):
        written = [n for n in names if n.startswith("--")] or list(names)
        name = options.get("dest") or written[0].lstrip("-").replace("-", "_")
        action = options.get("action")
        if "default" in options:
            value = options["default"]
            if isinstance(value, str) and options.get("type") in (int, float):
                value = options["type"](value)
        elif action == "store_true" or action == "store_false":
            value = action == "store_false"
        elif options.get("required") or not names[0].startswith("-"):
            value = unsaid("args." + name)
        else:
            value = None
        self.values.setdefault(name, value)
    def add_argument_group(self, *args, **kwargs):
        return self
    def add_mutually_exclusive_group(self, **kwargs):
        return self
    def add_subparsers(self, **kwargs):
        return self
    def add_parser(self, *args, **kwargs):
        return self
    def set_defaults(self, **kwargs):
        self.values.update(kwargs)
    def get_default(self, name):
        return self.values.get(name)
    def parse_args(self, args=None, namespace=None):
        return Namespace(**self.values)
    def parse_known_args(self, args=None, namespace=None):
        return Namespace(**self.values), []
    def print_help(self, file=None):
        pass
