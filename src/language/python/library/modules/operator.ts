/** Source of module `operator`. */
export const operator = `
def add(a, b): return a + b
def sub(a, b): return a - b
def mul(a, b): return a * b
def matmul(a, b): return a @ b
def truediv(a, b): return a / b
def floordiv(a, b): return a // b
def mod(a, b): return a % b
def pow(a, b): return a ** b
def neg(a): return -a
def pos(a): return +a
def not_(a): return not a
def and_(a, b): return a & b
def or_(a, b): return a | b
def xor(a, b): return a ^ b
def lshift(a, b): return a << b
def rshift(a, b): return a >> b
def eq(a, b): return a == b
def ne(a, b): return a != b
def lt(a, b): return a < b
def le(a, b): return a <= b
def gt(a, b): return a > b
def ge(a, b): return a >= b
def is_(a, b): return a is b
def contains(a, b): return b in a
def getitem(a, b): return a[b]
def index(a): return range(a).stop
def truth(a): return bool(a)
def invert(a): return ~a
def is_not(a, b): return a is not b
def concat(a, b): return a + b
def countOf(a, b): return sum(1 for each in a if each is b or each == b)
def indexOf(a, b): return list(a).index(b)
def call(function, /, *args, **keywords): return function(*args, **keywords)

def setitem(a, b, c): a[b] = c
def delitem(a, b): del a[b]
def iadd(a, b): a += b; return a
def isub(a, b): a -= b; return a
def imul(a, b): a *= b; return a
def imatmul(a, b): a @= b; return a
def itruediv(a, b): a /= b; return a
def ifloordiv(a, b): a //= b; return a
def imod(a, b): a %= b; return a
def ipow(a, b): a **= b; return a
def iand(a, b): a &= b; return a
def ior(a, b): a |= b; return a
def ixor(a, b): a ^= b; return a
def ilshift(a, b): a <<= b; return a
def irshift(a, b): a >>= b; return a

def itemgetter(*keys):
    if len(keys) == 1:
        return lambda value: value[keys[0]]
    return lambda value: tuple(value[key] for key in keys)

def attrgetter(*names):
    def follow(value, path):
        for name in path.split("."):
            value = getattr(value, name)
        return value
    if len(names) == 1:
        return lambda value: follow(value, names[0])
    return lambda value: tuple(follow(value, name) for name in names)

def methodcaller(name, /, *args, **keywords):
    return lambda value: getattr(value, name)(*args, **keywords)
`;
