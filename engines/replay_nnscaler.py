"""Where nnScaler 0.8 takes a policy to a program that computes something else: each case generated and run.

    python replay_nnscaler.py

Every case of CASES is a product that is cut by a policy; what nnScaler generates is run by four processes and compared
with the unsharded product, its result and the gradients of both operands. A wrong form must differ, and its safe
rewriting must be equal. One line per check, then `N passed, N failed`; status 1 when one failed.
"""
import os
import sys
import tempfile

import nnscaler
import torch
from nnscaler.flags import CompileFlag
from nnscaler.ir.operator import IRFwOperation
from nnscaler_generated import patched, run_on_host

DEVICES = 4
M, K, N, COPIES = (0, 0), (0, 1), (1, 1), None
# What the product warns of, nested cuts in two each, the devices of the pieces, without reduce-scatters, and whether the
# numbers are wrong.
CASES = [
    ("partial-outside-cut", (K, M), range(4), False, True),
    ("partial-outside-cut, added up whole", (K, M), range(4), True, False),
    ("partial-outside-cut", (K, N), range(4), False, True),
    ("partial-outside-cut, added up whole", (K, N), range(4), True, False),
    ("a partial value inside a cut", (M, K), range(4), False, False),
    ("pieces-out-of-order", (M, N), (2, 0, 3, 1), False, True),
    ("pieces in order", (M, N), range(4), False, False),
    ("copied-weight", (COPIES, M), range(4), False, True),
    ("copied-weight, cut instead", (M, M), range(4), False, False),
]


replay_nnscaler = sys.modules.get("replay_nnscaler")  # this file as a module: nnScaler registers no functions of __main__


def product(x, w):
    return torch.matmul(x, w)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.v, self.w = (torch.nn.Parameter(torch.randn(shape)) for shape in ((8, 16), (16, 8)))

    def forward(self, x):
        return replay_nnscaler.product(replay_nnscaler.product(x, self.v), self.w)


def policy_of(cuts, devices):
    def policy(graph, cfg):
        for place, node in enumerate(graph.select(ntype=IRFwOperation)):
            pieces = [node]
            for cut in cuts if place == 1 else (M, M):  # the first product is cut so that nothing is wrong
                split = lambda p: graph.replicate(p, times=2)
                if cut is not COPIES:
                    split = lambda p: graph.partition(p, p.algorithm("dim"), idx=cut[0], dim=cut[1], num=2)
                pieces = [q for p in pieces for q in split(p)]
            for device, piece in zip(devices if place == 1 else range(DEVICES), pieces):
                graph.assign(piece, device)
        return graph

    return policy


def compared(cuts, devices, flag):
    """Raises where numbers differ."""
    nnscaler.init()
    CompileFlag.disable_reduce_scatter_adapter = flag
    torch.manual_seed(1)
    whole, x = Model(), torch.randn(8, 8)
    config = nnscaler.ComputeConfig(DEVICES, DEVICES, trace_strategy="cpu")
    planned = nnscaler.parallelize(whole, {"x": x}, policy_of(cuts, devices), config, gen_savedir=".", reuse="override")
    results = [model(x) for model in (whole, planned)]
    for result in results:
        result.square().sum().backward()
    planned.sync_grad()
    pairs = [tuple(results)]
    for name, weight in planned.named_parameters():
        piece = planned.fullmap[name]
        pairs.append((whole.get_parameter(piece.orig_name).grad[piece.slicers], weight.grad))
    if not all(torch.allclose(want, got, rtol=1e-3, atol=1e-3) for want, got in pairs):
        raise SystemExit(1)


def main():
    patched()
    nnscaler.register_op("m k+, k+ n -> m n")(replay_nnscaler.product)
    failed = 0
    for name, cuts, devices, flag, is_wrong in CASES:
        with tempfile.TemporaryDirectory() as folder:
            is_right = run_on_host(lambda: replay_nnscaler.compared(cuts, devices, flag), DEVICES, folder)
        failed += is_right == is_wrong
        print(("FAIL " if is_right == is_wrong else "ok   ") + f"{name}: {'right' if is_right else 'wrong'} numbers", flush=True)
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import replay_nnscaler

    sys.exit(1 if replay_nnscaler.main() else 0)
