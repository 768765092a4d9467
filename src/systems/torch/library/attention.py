# Attention, transformers and recurrent layers of `torch.nn`, by PyTorch 2's signatures and weights.
import copy
import math
import torch
from torch import nn
import torch.nn.functional as F
from torch._operators import is_unknown, is_tensor, operator, recurring

class NonDynamicallyQuantizableLinear(nn.Linear):
    pass

class MultiheadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None, dtype=None):
        super().__init__()
        if isinstance(embed_dim, int) and isinstance(num_heads, int):
            if embed_dim <= 0 or num_heads <= 0:
                raise ValueError("embed_dim and num_heads must be greater than 0, got embed_dim=%d and num_heads=%d instead" % (embed_dim, num_heads))
            if embed_dim % num_heads:
                raise AssertionError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.batch_first, self.add_zero_attn = batch_first, add_zero_attn
        self.head_dim = embed_dim // num_heads
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        if self._qkv_same_embed_dim:
            self.in_proj_weight = nn.Parameter(torch.zeros(3 * embed_dim, embed_dim, dtype=dtype))
        else:
            self.q_proj_weight = nn.Parameter(torch.zeros(embed_dim, embed_dim, dtype=dtype))
            self.k_proj_weight = nn.Parameter(torch.zeros(embed_dim, self.kdim, dtype=dtype))
            self.v_proj_weight = nn.Parameter(torch.zeros(embed_dim, self.vdim, dtype=dtype))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim, dtype=dtype)) if bias else None
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, dtype=dtype)
        self.bias_k = nn.Parameter(torch.zeros(1, 1, embed_dim, dtype=dtype)) if add_bias_kv else None
        self.bias_v = nn.Parameter(torch.zeros(1, 1, embed_dim, dtype=dtype)) if add_bias_kv else None
    def _projections(self, query, key, value):
        biases = [None] * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        if self._qkv_same_embed_dim:
            weights = self.in_proj_weight.chunk(3)
        else:
            weights = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]
        given = zip((query, key, value), weights, biases)
        return [F.linear(x, w) if b is None else F.linear(x, w, b) for x, w, b in given]
    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, is_causal=False):
        if is_causal and attn_mask is None and self.training:
            raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
        if key_padding_mask is not None and not is_unknown(key_padding_mask) and not (key_padding_mask.dtype == torch.bool or key_padding_mask.is_floating_point()):
            raise AssertionError("only bool and floating types of key_padding_mask are supported")
        lone = query.dim() == 2
        if lone:
            query, key, value = [t.unsqueeze(0) for t in (query, key, value)]
        elif not self.batch_first:
            same_kv, same = key is value, query is key
            query = query.transpose(0, 1)
            key = query if same else key.transpose(0, 1)
            value = key if same_kv else value.transpose(0, 1)
        b, l, _ = query.shape
        s = key.shape[1]
        q, k, v = self._projections(query, key, value)
        h, d = self.num_heads, self.head_dim
        q = q.reshape(b, l, h, d).transpose(1, 2)
        k = k.reshape(b, s, h, d).transpose(1, 2)
        v = v.reshape(b, s, h, d).transpose(1, 2)
        if self.bias_k is not None:
            k = torch.cat([k, self.bias_k.reshape(1, h, 1, d).expand(b, h, 1, d)], dim=2)
            v = torch.cat([v, self.bias_v.reshape(1, h, 1, d).expand(b, h, 1, d)], dim=2)
        if self.add_zero_attn:
            k = torch.cat([k, torch.zeros(b, h, 1, d)], dim=2)
            v = torch.cat([v, torch.zeros(b, h, 1, d)], dim=2)
        added, s = k.shape[2] - s, k.shape[2]
        if added and attn_mask is not None:
            attn_mask = F.pad(attn_mask, (0, added))
        if added and key_padding_mask is not None:
            key_padding_mask = F.pad(key_padding_mask, (0, added))
        scores = torch.matmul(q * (1.0 / math.sqrt(d)), k.transpose(-2, -1))
        if attn_mask is not None:
            mask = attn_mask.reshape(b, h, l, s) if attn_mask.dim() == 3 else attn_mask
            scores = scores + mask
        if key_padding_mask is not None:
            rows = b if lone else key_padding_mask.shape[0]
            scores = scores + key_padding_mask.reshape(rows, 1, 1, s)
        weights = F.softmax(scores, dim=-1)
        if self.dropout > 0:
            weights = F.dropout(weights, self.dropout)
        out = torch.matmul(weights, v).transpose(1, 2).reshape(b, l, self.embed_dim)
        out = self.out_proj(out)
        if lone:
            out = out.squeeze(0)
        elif not self.batch_first:
            out = out.transpose(0, 1)
        if not need_weights:
            return out, None
        if average_attn_weights:
            weights = weights.mean(dim=1)
        return out, weights.squeeze(0) if lone else weights

def _activation(given):
    if given == "relu":
        return F.relu
    if isinstance(given, str) and given != "gelu":
        raise RuntimeError("activation should be relu/gelu, not " + given)
    return F.gelu if given == "gelu" else given

class TransformerEncoderLayer(nn.Module):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, dtype=dtype)
        self.linear1 = nn.Linear(d_model, dim_feedforward, bias=bias, dtype=dtype)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(dim_feedforward, d_model, bias=bias, dtype=dtype)
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        self.norm2 = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.activation = _activation(activation)
    def _sa_block(self, x, attn_mask, key_padding_mask):
        x = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)[0]
        return self.dropout1(x)
    def _ff_block(self, x):
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))
    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, src_key_padding_mask)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, src_mask, src_key_padding_mask))
        return self.norm2(x + self._ff_block(x))

class TransformerDecoderLayer(nn.Module):
    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, dtype=dtype)
        self.multihead_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, dtype=dtype)
        self.linear1 = nn.Linear(d_model, dim_feedforward, bias=bias, dtype=dtype)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(dim_feedforward, d_model, bias=bias, dtype=dtype)
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        self.norm2 = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        self.norm3 = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.dropout3 = nn.Dropout(dropout)
        self.activation = _activation(activation)
    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False):
        def own(x):
            return self.dropout1(self.self_attn(x, x, x, attn_mask=tgt_mask, key_padding_mask=tgt_key_padding_mask, need_weights=False)[0])
        def other(x):
            return self.dropout2(self.multihead_attn(x, memory, memory, attn_mask=memory_mask, key_padding_mask=memory_key_padding_mask, need_weights=False)[0])
        def feed(x):
            return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))
        x = tgt
        if self.norm_first:
            x = x + own(self.norm1(x))
            x = x + other(self.norm2(x))
            return x + feed(self.norm3(x))
        x = self.norm1(x + own(x))
        x = self.norm2(x + other(x))
        return self.norm3(x + feed(x))

class TransformerEncoder(nn.Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = nn.ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm
    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        if len(self.layers) == 0:
            raise IndexError("index 0 is out of range")
        for layer in self.layers:
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)

class TransformerDecoder(nn.Module):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = nn.ModuleList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm
    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False):
        if len(self.layers) == 0:
            raise IndexError("index 0 is out of range")
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)
        return tgt if self.norm is None else self.norm(tgt)

class Transformer(nn.Module):
    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1, activation="relu", custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        given = dict(dim_feedforward=dim_feedforward, dropout=dropout, activation=activation, layer_norm_eps=layer_norm_eps, batch_first=batch_first, norm_first=norm_first, bias=bias, dtype=dtype)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            norm = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
            self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(d_model, nhead, **given), num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            norm = nn.LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
            self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(d_model, nhead, **given), num_decoder_layers, norm)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None, tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None, memory_is_causal=False):
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)
    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return torch.triu(torch.full((sz, sz), float("-inf")), diagonal=1)

class _Recurrent(nn.Module):
    gates, name, states = 1, "rnn", 1
    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        if isinstance(nonlinearity, str) and nonlinearity not in ("tanh", "relu"):
            raise ValueError("Unknown nonlinearity '%s'. Select from 'tanh' or 'relu'." % nonlinearity)
        if not is_unknown(dropout) and not 0 <= dropout <= 1:
            raise ValueError("dropout should be a number in range [0, 1] representing the probability of an element being zeroed")
        if isinstance(num_layers, int) and num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if isinstance(proj_size, int) and isinstance(hidden_size, int) and proj_size >= hidden_size > 0:
            raise ValueError("proj_size has to be smaller than hidden_size")
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.bidirectional = bias, batch_first, bidirectional
        self.proj_size, self.dropout, self._dtype = proj_size, dropout, dtype
        self.num_directions = 2 if bidirectional else 1
        made = proj_size or hidden_size
        self._weights = []
        for layer in range(num_layers):
            taken = input_size if layer == 0 else made * self.num_directions
            for suffix in ["", "_reverse"][:self.num_directions]:
                self._hold("weight_ih_l%d%s" % (layer, suffix), self.gates * hidden_size, taken)
                self._hold("weight_hh_l%d%s" % (layer, suffix), self.gates * hidden_size, made)
                if bias:
                    self._hold("bias_ih_l%d%s" % (layer, suffix), self.gates * hidden_size)
                    self._hold("bias_hh_l%d%s" % (layer, suffix), self.gates * hidden_size)
                if proj_size:
                    self._hold("weight_hr_l%d%s" % (layer, suffix), proj_size, hidden_size)
    def _hold(self, name, *sizes):
        setattr(self, name, nn.Parameter(torch.zeros(*sizes, dtype=self._dtype)))
        self._weights.append(name)
    def flatten_parameters(self):
        pass
    def forward(self, input, hx=None):
        if not is_tensor(input) and hasattr(input, "_padded"):
            made, states = self._run(input._padded, hx, input._batch_first)
            return type(input)(made, input._lengths, input._batch_first), states
        return self._run(input, hx, self.batch_first)
    def _run(self, input, hx, batch_first):
        batched = input.dim() == 3
        n, t = ("n ", "n t^ ") if batched and batch_first else ("n ", "t^ n ") if batched else ("", "t^ ")
        given = list(hx) if isinstance(hx, (tuple, list)) else ([hx] if hx is not None else [])
        x, lasts = input, []
        for layer in range(self.num_layers):
            made = []
            for at, suffix in enumerate(["", "_reverse"][:self.num_directions]):
                states = [s[layer * self.num_directions + at] for s in given]
                made.append(self._direction(x, "_l%d%s" % (layer, suffix), states, n, t))
            x = torch.cat([m[0] for m in made], -1) if len(made) > 1 else made[0][0]
            if self.dropout > 0 and layer + 1 < self.num_layers:
                x = torch.nn.functional.dropout(x, self.dropout, self.training)
            lasts.extend(made)
        ends = [torch.stack([m[1 + i] for m in lasts]) for i in range(self.states)]
        return (x, ends[0]) if self.states == 1 else (x, tuple(ends))
    def _direction(self, x, suffix, states, n, t):
        # Both biases are added to the gates: their sum is added once, with the product of all steps.
        bias = getattr(self, "bias_ih" + suffix) + getattr(self, "bias_hh" + suffix) if self.bias else None
        gates = torch.nn.functional.linear(x, getattr(self, "weight_ih" + suffix), bias)
        # A number for the dim that a projection ends: its product is small beside the other.
        inner = str(self.hidden_size) if self.proj_size else "o^"
        free = ["g^ o^"] + (["o^ " + inner] if self.proj_size else [])
        weights = [getattr(self, "weight_hh" + suffix)]
        if self.proj_size:
            weights.append(getattr(self, "weight_hr" + suffix))
        texts = [t + "g^"] + free + [n + (inner if i else "o^") for i in range(len(states))]
        outs = [t + "o^", n + "o^"] + ([n + inner] if self.states == 2 else [])
        recurring(self.name)
        return operator(self.name, ", ".join(texts) + " -> " + ", ".join(outs), gates, *weights, *states)

class RNN(_Recurrent):
    gates, name, states = 1, "rnn", 1

class GRU(_Recurrent):
    gates, name, states = 3, "gru", 1
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None):
        super().__init__(input_size, hidden_size, num_layers, "tanh", bias, batch_first, dropout, bidirectional, 0, device, dtype)

class LSTM(_Recurrent):
    gates, name, states = 4, "lstm", 2
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__(input_size, hidden_size, num_layers, "tanh", bias, batch_first, dropout, bidirectional, proj_size, device, dtype)

class _Cell(nn.Module):
    gates, name, states = 1, "rnn_cell", 1
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size = input_size, hidden_size
        self.weight_ih = nn.Parameter(torch.zeros(self.gates * hidden_size, input_size, dtype=dtype))
        self.weight_hh = nn.Parameter(torch.zeros(self.gates * hidden_size, hidden_size, dtype=dtype))
        self.bias_ih = nn.Parameter(torch.zeros(self.gates * hidden_size, dtype=dtype)) if bias else None
        self.bias_hh = nn.Parameter(torch.zeros(self.gates * hidden_size, dtype=dtype)) if bias else None
    def forward(self, input, hx=None):
        states = list(hx) if isinstance(hx, (tuple, list)) else ([hx] if hx is not None else [])
        n = "n " if input.dim() == 2 else ""
        bias = self.bias_ih + self.bias_hh if self.bias_ih is not None else None
        gates = torch.nn.functional.linear(input, self.weight_ih, bias)
        texts = [n + "g^", "g^ h^"] + [n + "h^"] * len(states)
        out = ", ".join([n + "h^"] * self.states)
        return operator(self.name, ", ".join(texts) + " -> " + out, gates, self.weight_hh, *states)

class RNNCell(_Cell):
    pass

class GRUCell(_Cell):
    gates, name = 3, "gru_cell"

class LSTMCell(_Cell):
    gates, name, states = 4, "lstm_cell", 2
