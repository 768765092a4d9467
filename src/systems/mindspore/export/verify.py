def verify():
    """Compares what MindSpore's compiler makes of the cell for rank 0 with the lists above; it needs no card."""
    graph, shapes = compiled()
    compare("operators", sorted(operators_of(graph)), sorted(OPERATORS))
    compare("collectives", collectives_of(graph), COLLECTIVES)
    compare("parameters", {name: shapes[name] for name in PARAMETERS}, PARAMETERS)
    print("MindSpore's compiler makes of the cell what the plan claims")


def compare(what, got, want):
    assert got == want, f"{what} are {got}, and the plan claims {want}"


def operators_of(graph):
    """Every primitive that has a strategy, with the pieces of every dim of its operands."""
    found = []
    for op, told in re.findall(r"= (?:PrimFunc_)?(\w+)\(.*instance name: (?!redistribution_op|forward_op)(.*)", graph):
        if layouts := re.search(r"in_layout: \((\{.*?\})\)", told):
            each = re.findall(r"'device_matrix': (.*?), 'tensor_map': (.*?), 'interleaved", layouts[1])
            found.append((op, [pieces_of(lists(matrix), lists(dims)) for matrix, dims in each]))
        elif strategy := re.search(r"in_strategy: (\([\d(), ]*\))", told):
            found.append((op, lists(strategy[1])))
    return found


def pieces_of(matrix, dims):
    """Into how many pieces a layout cuts every dim; its map counts the axes of the device matrix from the right."""
    axes = [dim if isinstance(dim, list) else [dim] for dim in dims]
    return [math.prod(matrix[-1 - axis] for axis in each if axis >= 0) for each in axes]


def collectives_of(graph):
    """Every collective with its ranks, in order; all of them where it names none."""
    found = re.findall(r"= (All\w+|ReduceScatter|Broadcast|NeighborExchangeV2)\(.*?group_rank_ids: (\([^)]*\))", graph)
    return [(op, lists(ranks) or list(range(DEVICES))) for op, ranks in found]


def lists(printed):
    """Nested tuples of numbers."""
    return json.loads(re.sub(r",\s*\)", ")", printed).replace("(", "[").replace(")", "]"))


def compiled():
    """The printed program of rank 0 and the shapes of its parameters, by the front end of MindSpore 2.10 alone."""
    from mindspore._c_expression import AutoParallelContext, MSContext, ms_ctx_param
    from mindspore.communication import _comm_helper
    from mindspore.graph.api import _cell_graph_executor
    from mindspore.ops.operations import comm_ops

    believe_in_ascend(MSContext, ms_ctx_param.device_target)
    comm_ops.get_group_size = lambda group=None: int(re.match(r"(\d+)-|", str(group))[1] or DEVICES)
    ms.set_context(mode=ms.GRAPH_MODE)
    mode = {"parallel_mode": "semi_auto_parallel", "dataset_strategy": "full_batch"}
    ms.set_auto_parallel_context(device_num=DEVICES, global_rank=0, **mode)
    AutoParallelContext.get_instance().set_hccl_test_avaible(True)  # spelled so
    _comm_helper._HCCL_TEST_AVAILABLE = True
    cell = Plan().set_train()
    given = [ms.Tensor(shape=shape, dtype=dtype) for shape, dtype in INPUTS.values()]
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(MS_DEV_PRECOMPILE_ONLY="1", MS_DEV_SAVE_GRAPHS="2", MS_DEV_SAVE_GRAPHS_PATH=folder)
        _cell_graph_executor.compile(cell, *given, phase="train")
        graph = max(Path(folder).rglob("*validate*.ir")).read_text()
    shapes = {name: tuple(layout[2]) for name, layout in cell.parameter_layout_dict.items()}
    return re.sub(r"I64\((-?\d+)\)", r"\1", graph), shapes


def believe_in_ascend(context, target):
    """Registers the device type of the cards, which the compiler asks for, with nothing behind it."""
    core = ctypes.CDLL(str(Path(ms.__file__).parent / "lib" / "libmindspore_core.so"))
    text = ctypes.create_string_buffer(struct.pack("3q", 6, 6, -1) + "Ascend".encode())
    name = ctypes.c_void_p(ctypes.addressof(text) + 24)  # a string of C++ before its ABI of 2011
    core._ZN9mindspore9MsContext16RegisterInitFuncERKSsPFvPS0_E(ctypes.byref(name), ctypes.CDLL(None).abs)
    context.get_instance().set_param(target, "Ascend")
