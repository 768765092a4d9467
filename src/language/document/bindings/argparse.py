# `argparse` as a text runs it that nobody gives arguments: every option has its default.
from _arguments import say_first, unsaid

class Namespace:
    def __init__(self, **kwargs):
        for name in kwargs:
            setattr(self, name, kwargs[name])
    def __contains__(self, name):
        return hasattr(self, name)

class ArgumentParser:
    def __init__(self, *args, parents=(), **kwargs):
        self.values = {}
        self.commands = []
        for parent in parents:
            self.values.update(parent.values)
            self.commands.extend(parent.commands)
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
    def add_subparsers(self, dest=None, **kwargs):
        self.commands.append(Commands(dest))
        return self.commands[-1]
    def set_defaults(self, **kwargs):
        self.values.update(kwargs)
    def get_default(self, name):
        return self.values.get(name)
    def parse_args(self, args=None, namespace=None):
        values = dict(self.values)
        for commands in self.commands:
            values.update(commands.first())
        return Namespace(**values)
    def parse_known_args(self, args=None, namespace=None):
        return self.parse_args(), []
    def print_help(self, file=None):
        pass

# Commands with options of their own: the first of them is run.
class Commands:
    def __init__(self, dest):
        self.dest = dest
        self.parsers = {}
    def add_parser(self, name, *args, **kwargs):
        self.parsers[name] = ArgumentParser()
        return self.parsers[name]
    def first(self):
        if not self.parsers:
            return {} if self.dest is None else {self.dest: None}
        name, *others = self.parsers
        if others:
            say_first(name, ", ".join(others))
        values = vars(self.parsers[name].parse_args())
        return values if self.dest is None else {self.dest: name, **values}
