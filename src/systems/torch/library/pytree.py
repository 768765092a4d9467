# `torch.utils._pytree`: values inside lists, tuples and dicts, by the signatures of PyTorch 2.13.

class TreeSpec:
    def __init__(self, build, num_leaves):
        self._build = build
        self.num_leaves = num_leaves
    def unflatten(self, leaves):
        return self._build(iter(leaves))

def _children(tree, is_leaf):
    if is_leaf is not None and is_leaf(tree):
        return None
    if isinstance(tree, (list, tuple)):
        return list(tree)
    return list(tree.values()) if isinstance(tree, dict) else None

def _built(tree, parts):
    if isinstance(tree, dict):
        made = dict(zip(tree.keys(), parts))
        return made if type(tree) is dict else type(tree)(made)
    if hasattr(tree, "_fields"):
        return type(tree)(*parts)
    return type(tree)(parts)

def tree_map(func, tree, *rests, is_leaf=None):
    children = _children(tree, is_leaf)
    if children is None:
        return func(tree, *rests)
    others = [_children(rest, is_leaf) for rest in rests]
    return _built(tree, [tree_map(func, *each, is_leaf=is_leaf) for each in zip(children, *others)])

def tree_leaves(tree, is_leaf=None):
    leaves = []
    tree_map(leaves.append, tree, is_leaf=is_leaf)
    return leaves

def tree_structure(tree, is_leaf=None):
    count = len(tree_leaves(tree, is_leaf))
    return TreeSpec(lambda leaves: tree_map(lambda _: next(leaves), tree, is_leaf=is_leaf), count)

def tree_flatten(tree, is_leaf=None):
    return tree_leaves(tree, is_leaf), tree_structure(tree, is_leaf)

def tree_unflatten(leaves, treespec):
    return treespec.unflatten(leaves)

def tree_map_(func, tree, *rests, is_leaf=None):
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree

def tree_map_only(kind, func, tree, is_leaf=None):
    return tree_map(lambda leaf: func(leaf) if isinstance(leaf, kind) else leaf, tree, is_leaf=is_leaf)

def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))

def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))
