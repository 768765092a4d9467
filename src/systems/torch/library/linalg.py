# What `torch.linalg` has otherwise than `torch`, or alone, by the signatures of PyTorch 2.
_diagonal = torch.diagonal

def svd(input, full_matrices=True, driver=None):
    m, n = input.shape[-2:]
    k = min(m, n)
    u, v = (m, n) if full_matrices else (k, k)
    return _batched("svd", 2, [[m, u], [k], [v, n]], input)

def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return _diagonal(A, offset, dim1, dim2)

def vander(x, N=None):
    names = " ".join(_names(x.dim()))
    return operator("vander", "%s -> %s %d" % (names, names, x.shape[-1] if N is None else N), x)

def cond(A, p=None):
    return _batched("cond", 2, [[]], A)

def matrix_rank(A, *args, **options):
    return _batched("matrix_rank", 2, [[]], A)

def _with_code(name):
    def function(A, *args, **options):
        return _batched(name, 2, [A.shape[-2:]], A), _batched(name + "_info", 2, [[]], A)
    return function

inv_ex, cholesky_ex = _with_code("inv_ex"), _with_code("cholesky_ex")

def lu(A, pivot=True):
    m, n = A.shape[-2:]
    k = min(m, n)
    return _batched("lu", 2, [[m, m], [m, k], [k, n]], A)

def lu_factor(A, pivot=True):
    return _batched("lu_factor", 2, [A.shape[-2:], [min(A.shape[-2:])]], A)

def lu_factor_ex(A, pivot=True, check_errors=False):
    return (*lu_factor(A, pivot), _shaped("lu_factor_info", list(A.shape[:-2]), A))

def ldl_factor(A, hermitian=False):
    return _made("ldl_factor", [list(A.shape), list(A.shape[:-1])], A)

def ldl_factor_ex(A, hermitian=False, check_errors=False):
    return (*ldl_factor(A, hermitian), _shaped("ldl_factor_info", list(A.shape[:-2]), A))

def solve_ex(A, B, left=True, check_errors=False):
    return _made("solve", [list(B.shape)], A, B), _shaped("solve_info", list(A.shape[:-2]), A)

def vecdot(x, y, dim=-1):
    return (x * y).sum(dim=dim)
