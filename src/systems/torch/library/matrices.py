# Products and decompositions of matrices, and statistics of rows, by the signatures of PyTorch 2.

def chain_matmul(*matrices):
    if len(matrices) == 1 and isinstance(matrices[0], (tuple, list)):
        matrices = matrices[0]
    result = matrices[0]
    for m in matrices[1:]:
        result = torch.matmul(result, m)
    return result

multi_dot = chain_matmul

def _grouped_mm(self, mat2, offs=None, bias=None, out_dtype=None):
    return F.grouped_mm(self, mat2, offs=offs, bias=bias, out_dtype=out_dtype)

# What transformers registers for machines without a grouped product.
def grouped_mm_fallback(input, weight, offs):
    return F.grouped_mm(input, weight, offs=offs)

def _scaled_mm(self, mat2, scale_a=None, scale_b=None, bias=None, scale_result=None, out_dtype=None, use_fast_accum=False):
    result = torch.matmul(self, mat2)
    if out_dtype is not None:
        result = result.to(out_dtype)
    return result if bias is None else result + bias

def _int_mm(self, mat2):
    return torch.matmul(self, mat2).to(torch.int32)

def spmm(input, mat2):
    return torch.matmul(input, mat2)

hspmm = smm = spmm

def addbmm(input, batch1, batch2, beta=1, alpha=1):
    return input * beta + torch.matmul(batch1, batch2).sum(dim=0) * alpha

def addmv(input, mat, vec, beta=1, alpha=1):
    return input * beta + torch.mv(mat, vec) * alpha

def addr(input, vec1, vec2, beta=1, alpha=1):
    return input * beta + torch.outer(vec1, vec2) * alpha

def inverse(input):
    return _batched("inverse", 2, [input.shape[-2:]], input)

inv = inverse

def pinv(input, *args, **options):
    return _batched("pinv", 2, [[input.shape[-1], input.shape[-2]]], input)

pinverse = pinv

def cholesky(input, upper=False):
    return _batched("cholesky", 2, [input.shape[-2:]], input)

def matrix_exp(input):
    return _batched("matrix_exp", 2, [input.shape[-2:]], input)

def matrix_power(input, n):
    return _batched("matrix_power", 2, [input.shape[-2:]], input)

def det(input):
    return _batched("det", 2, [[]], input)

logdet = det

def slogdet(input):
    return _batched("slogdet", 2, [[], []], input)

def qr(input, mode="reduced"):
    m, n = input.shape[-2:]
    k = m if mode == "complete" else min(m, n)
    return _batched("qr", 2, [[m, k], [k, n]], input)

def svd(input, some=True, compute_uv=True):
    m, n = input.shape[-2:]
    k = min(m, n)
    u, v = (k, k) if some else (m, n)
    return _batched("svd", 2, [[m, u], [k], [n, v]], input)

def svdvals(input):
    return _batched("svdvals", 2, [[min(input.shape[-2:])]], input)

def eigh(input, UPLO="L"):
    return _batched("eigh", 2, [input.shape[-1:], input.shape[-2:]], input)

def eigvalsh(input, UPLO="L"):
    return _batched("eigvalsh", 2, [input.shape[-1:]], input)

def _rows(name, A, B, left):
    if tuple(A.shape[-2:])[0 if left else 1] != tuple(B.shape[-2:])[0 if left else 1]:
        raise RuntimeError("linalg.%s: Incompatible shapes of A and B for the equation %s (%dx%d and %dx%d)" % (name, "AX = B" if left else "XA = B", *A.shape[-2:], *B.shape[-2:]))

def solve(A, B, left=True):
    core = 1 if B.dim() == 1 or tuple(B.shape) == tuple(A.shape[:-1]) else 2
    if core == 2:
        _rows("solve", A, B, left)
    return _batched("solve", [2, core], [B.shape[-core:]], A, B)

def solve_triangular(A, B, upper, left=True, unitriangular=False):
    _rows("solve_triangular", A, B, left)
    return _batched("solve_triangular", 2, [B.shape[-2:]], A, B)

def lstsq(input, b, rcond=None, driver=None):
    *lead, m, n = input.shape
    wide = list(b.shape[-1:]) if b.dim() > 1 else []
    solution = _made("lstsq", [lead + [n] + wide], input, b)
    return (solution, *[unknown("torch.linalg.lstsq", input, b) for _ in range(3)])

def geqrf(input):
    *lead, m, n = input.shape
    return _made("geqrf", [lead + [m, n], lead + [min(m, n)]], input)

def histogram(input, bins, range=None, weight=None, density=False):
    count = bins.shape[0] - 1 if is_tensor(bins) else bins
    return _made("histogram", [[count], [count + 1]], input)

def triangular_solve(b, A, upper=True, transpose=False, unitriangular=False):
    return _made("triangular_solve", [list(b.shape), list(A.shape)], b, A)

def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    *lead, m, n = LU_data.shape
    k = min(m, n)
    return _made("lu_unpack", [lead + [m, m], lead + [m, k], lead + [k, n]], LU_data, LU_pivots)

def cov(input, correction=1, fweights=None, aweights=None):
    rows = 1 if input.dim() < 2 else input.shape[0]
    return _made("cov", [[] if input.dim() < 2 else [rows, rows]], input)

def corrcoef(input):
    return _made("corrcoef", [[] if input.dim() < 2 else [input.shape[0]] * 2], input)

def histc(input, bins=100, min=0, max=0):
    return _made("histc", [[bins]], input)

def quantile(input, q, dim=None, keepdim=False, interpolation="linear"):
    if not isinstance(q, (int, float)) and q.dim() > 0:
        lead = [q.shape[0]]
    else:
        lead = []
    names = _names(input.dim())
    at = None if dim is None else _axis(input, dim)
    isOver = [at is None or i == at for i in range(len(names))]
    given = " ".join(n + "^" if over else n for n, over in zip(names, isOver))
    left = [str(s) for s in lead] + ["1" if over else n for n, over in zip(names, isOver) if keepdim or not over]
    return operator("quantile", given + " -> " + (" ".join(left) or "()"), input)

nanquantile = quantile

def diff(input, n=1, dim=-1, prepend=None, append=None):
    extra = [t for t in (prepend,) if t is not None] + [input] + [t for t in (append,) if t is not None]
    x = torch.cat(extra, dim=dim) if len(extra) > 1 else input
    for _ in range(n):
        size = x.shape[dim]
        if isinstance(size, int) and size == 0:
            break
        x = torch.narrow(x, dim, 1, size - 1) - torch.narrow(x, dim, 0, size - 1)
    return x

def gradient(input, *, spacing=1, dim=None, edge_order=1):
    names = _names(input.dim())
    over = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    made = []
    for at in [_axis(input, d) for d in over]:
        marked = " ".join(n + "^" if i == at else n for i, n in enumerate(names))
        made.append(operator("gradient", marked + " -> " + marked, input))
    return made

def trapezoid(y, x=None, dx=1, dim=-1):
    names = _names(y.dim())
    at = _axis(y, dim)
    marked = [n + "^" if i == at else n for i, n in enumerate(names)]
    left = " ".join(n for i, n in enumerate(names) if i != at) or "()"
    if x is None:
        return operator("trapezoid", " ".join(marked) + " -> " + left, y)
    places = marked if x.dim() == y.dim() else [marked[at]]
    return operator("trapezoid", " ".join(marked) + ", " + " ".join(places) + " -> " + left, y, x)

trapz = trapezoid

def cartesian_prod(*tensors):
    if len(tensors) == 1:
        return tensors[0]
    names = _names(len(tensors))
    return operator("cartesian_prod", ", ".join(names) + " -> (" + " ".join(names) + ") %d" % len(tensors), *tensors)

def combinations(input, r=2, with_replacement=False):
    n = input.shape[0] + (r - 1 if with_replacement else 0)
    count = 1
    for i in range(r):
        count = count * (n - i) // (i + 1)
    return _made("combinations", [[count, r] if r else [0]], input)

def to_sparse(input, *args, **options):
    return input

to_dense = coalesce = to_sparse

def sparse_coo_tensor(indices, values, size=None, **options):
    if size is None:
        return unknown("torch.sparse_coo_tensor", indices, values)
    return torch.zeros(*size)

def unfold_dim(input, dimension, size, step):
    names, at = _names(input.dim()), _axis(input, dimension)
    made = [str((input.shape[at] - size) // step + 1) if i == at else n for i, n in enumerate(names)]
    given = [n + "^" if i == at else n for i, n in enumerate(names)]
    return operator("unfold", " ".join(given) + " -> " + " ".join(made + [str(size)]), input)

def baddbmm(input, batch1, batch2, beta=1, alpha=1):
    if batch1.dim() != 3 or batch2.dim() != 3:
        raise RuntimeError("batch1 and batch2 must be 3D tensors")
    return input * beta + torch.matmul(batch1, batch2) * alpha if beta != 1 or alpha != 1 else input + torch.matmul(batch1, batch2)

def mv(input, vec):
    return operator("mv", "m k+, k+ -> m", input, vec)

def dot(input, other):
    return operator("dot", "k+, k+ -> ()", input, other)

vdot = dot

def inner(input, other):
    if input.dim() > 2 or other.dim() > 2:
        return torch.tensordot(input, other, ([-1], [-1]))
    return torch.matmul(input, other.transpose(-2, -1)) if other.dim() > 1 else torch.matmul(input, other)

def ger(input, vec2):
    return torch.outer(input, vec2)

def trace(input):
    return operator("trace", "a^ b^ -> ()", input)

def tensordot(a, b, dims=2):
    if isinstance(dims, int):
        left, right = list(range(a.dim() - dims, a.dim())), list(range(dims))
    else:
        left = [d % a.dim() for d in (dims[0] if isinstance(dims[0], (tuple, list)) else [dims[0]])]
        right = [d % b.dim() for d in (dims[1] if isinstance(dims[1], (tuple, list)) else [dims[1]])]
    one, two = _names(a.dim()), _names(b.dim(), a.dim())
    for l, r in zip(left, right):
        two[r] = one[l]
    free = [n for i, n in enumerate(one) if i not in left] + [n for i, n in enumerate(two) if i not in right]
    return torch.einsum("%s,%s->%s" % ("".join(one), "".join(two), "".join(free)), a, b)

def cdist(x1, x2, p=2.0, **options):
    lead = _names(x1.dim() - 2)
    return operator("cdist", "%s, %s -> %s" % (" ".join(lead + ["p", "m^"]), " ".join(lead + ["r", "m^"]), " ".join(lead + ["p", "r"])), x1, x2)

def kron(input, other):
    rank = max(input.dim(), other.dim())
    sizes = [[1] * (rank - each.dim()) + list(each.shape) for each in (input, other)]
    return _shaped("kron", [a * b for a, b in zip(*sizes)], input, other)
