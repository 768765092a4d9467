# T5: T5ForConditionalGeneration of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of T5 11B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 512
T = S
vocab_size = 32128
d_model = 1024
d_kv = 128
d_ff = 65536
num_layers = 24
num_decoder_layers = 24
num_heads = 128
relative_attention_num_buckets = 32
layer_norm_epsilon = 1e-06

mesh = Mesh(dp=8, tp=8)

constant_1 = Tensor((S, S), "int64")  # constant of 51 operators
constant_2 = Tensor((T, T), "int64")  # constant of 70 operators

def masked(scores, window):
    """Scores without those of later positions; with a window, of so many positions."""
    length = scores.shape[-1]
    seen = torch.ones(length, length, dtype=torch.bool).tril()
    if window is not None:
        seen = seen.triu(1 - window)
    return scores.masked_fill(~seen, float("-inf"))

class T5Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(d_model, d_kv * num_heads, bias=False)
        self.k = nn.Linear(d_model, d_kv * num_heads, bias=False)
        self.v = nn.Linear(d_model, d_kv * num_heads, bias=False)
        self.o = nn.Linear(d_kv * num_heads, d_model, bias=False)
        self.relative_attention_bias = nn.Embedding(relative_attention_num_buckets, num_heads)

    def forward(self, x):
        B = x.shape[0]
        relative_attention_bias = self.relative_attention_bias(constant_1).permute(2, 0, 1).unsqueeze(0)
        k = self.k(x).view(B, S, -1, d_kv).transpose(1, 2).transpose(2, 3)
        x2 = self.q(x).view(B, S, -1, d_kv).transpose(1, 2) @ k + relative_attention_bias
        matmul = F.softmax(x2, dim=-1) @ self.v(x).view(B, S, -1, d_kv).transpose(1, 2)
        return relative_attention_bias, self.o(matmul.transpose(1, 2).reshape(B, S, -1))

class T5DenseActDense(nn.Module):
    def __init__(self):
        super().__init__()
        self.wi = nn.Linear(d_model, d_ff, bias=False)
        self.wo = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.wo(F.relu(self.wi(x)))

class T5Attention2(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(d_model, d_kv * num_heads, bias=False)
        self.k = nn.Linear(d_model, d_kv * num_heads, bias=False)
        self.v = nn.Linear(d_model, d_kv * num_heads, bias=False)
        self.o = nn.Linear(d_kv * num_heads, d_model, bias=False)

    def forward(self, x, y):
        B = x.shape[0]
        k = self.k(x).view(B, S, -1, d_kv).transpose(1, 2).transpose(2, 3)
        same = (self.q(x).view(B, S, -1, d_kv).transpose(1, 2) @ k + y)
        matmul = F.softmax(same, dim=-1) @ self.v(x).view(B, S, -1, d_kv).transpose(1, 2)
        return self.o(matmul.transpose(1, 2).reshape(B, S, -1))

class T5Attention3(T5Attention):
    def forward(self, x):
        B = x.shape[0]
        relative_attention_bias = self.relative_attention_bias(constant_2).permute(2, 0, 1).unsqueeze(0)
        k = self.k(x).view(B, T, -1, d_kv).transpose(1, 2).transpose(2, 3)
        x2 = self.q(x).view(B, T, -1, d_kv).transpose(1, 2) @ k + relative_attention_bias
        matmul = F.softmax(masked(x2, window=None), dim=-1) @ self.v(x).view(B, T, -1, d_kv).transpose(1, 2)
        return relative_attention_bias, self.o(matmul.transpose(1, 2).reshape(B, T, -1))

class T5Attention4(T5Attention2):
    def forward(self, x, y):
        B = x.shape[0]
        k = self.k(y).view(B, S, -1, d_kv).transpose(1, 2).transpose(2, 3)
        softmax = F.softmax((self.q(x).view(B, T, -1, d_kv).transpose(1, 2) @ k), dim=-1)
        matmul = softmax @ self.v(y).view(B, S, -1, d_kv).transpose(1, 2)
        return self.o(matmul.transpose(1, 2).reshape(B, T, -1))

class T5Attention5(T5Attention2):
    def forward(self, x, y):
        B = x.shape[0]
        k = self.k(x).view(B, T, -1, d_kv).transpose(1, 2).transpose(2, 3)
        masked_ = masked(self.q(x).view(B, T, -1, d_kv).transpose(1, 2) @ k + y, window=None)
        matmul = F.softmax(masked_, dim=-1) @ self.v(x).view(B, T, -1, d_kv).transpose(1, 2)
        return self.o(matmul.transpose(1, 2).reshape(B, T, -1))

class T5LayerSelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.SelfAttention = T5Attention()
        self.layer_norm = nn.RMSNorm(d_model, eps=layer_norm_epsilon)

    def forward(self, x):
        SelfAttention, SelfAttention2 = self.SelfAttention(self.layer_norm(x))
        return SelfAttention, x + SelfAttention2

class T5LayerFF(nn.Module):
    def __init__(self):
        super().__init__()
        self.DenseReluDense = T5DenseActDense()
        self.layer_norm = nn.RMSNorm(d_model, eps=layer_norm_epsilon)

    def forward(self, x):
        return x + self.DenseReluDense(self.layer_norm(x))

class T5LayerSelfAttention2(nn.Module):
    def __init__(self):
        super().__init__()
        self.SelfAttention = T5Attention2()
        self.layer_norm = nn.RMSNorm(d_model, eps=layer_norm_epsilon)

    def forward(self, x, y):
        return x + self.SelfAttention(self.layer_norm(x), y)

class T5LayerSelfAttention3(nn.Module):
    def __init__(self):
        super().__init__()
        self.SelfAttention = T5Attention3()
        self.layer_norm = nn.RMSNorm(d_model, eps=layer_norm_epsilon)

    def forward(self, x):
        SelfAttention, SelfAttention2 = self.SelfAttention(self.layer_norm(x))
        return SelfAttention, x + SelfAttention2

class T5LayerCrossAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.EncDecAttention = T5Attention4()
        self.layer_norm = nn.RMSNorm(d_model, eps=layer_norm_epsilon)

    def forward(self, x, y):
        return x + self.EncDecAttention(self.layer_norm(x), y)

class T5LayerSelfAttention4(nn.Module):
    def __init__(self):
        super().__init__()
        self.SelfAttention = T5Attention5()
        self.layer_norm = nn.RMSNorm(d_model, eps=layer_norm_epsilon)

    def forward(self, x, y):
        return x + self.SelfAttention(self.layer_norm(x), y)

class T5Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ModuleList([T5LayerSelfAttention(), T5LayerFF()])

    def forward(self, x):
        layer, layer2 = self.layer[0](x)
        return layer, self.layer[1](layer2)

class T5Block2(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ModuleList([T5LayerSelfAttention2(), T5LayerFF()])

    def forward(self, x, y):
        return self.layer[1](self.layer[0](x, y))

class T5Block3(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ModuleList([T5LayerSelfAttention3(), T5LayerCrossAttention(), T5LayerFF()])

    def forward(self, x, y):
        layer, layer2 = self.layer[0](x)
        return layer, self.layer[2](self.layer[1](layer2, y))

class T5Block4(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ModuleList([T5LayerSelfAttention4(), T5LayerCrossAttention(), T5LayerFF()])

    def forward(self, x, y, y2):
        return self.layer[2](self.layer[1](self.layer[0](x, y), y2))

class T5Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, d_model)
        self.block = nn.ModuleList([T5Block() if i == 0 else T5Block2() for i in range(num_layers)])
        self.final_layer_norm = nn.RMSNorm(d_model, eps=layer_norm_epsilon)

    def forward(self, ids):
        block, block2 = self.block[0](self.embed_tokens(ids))
        for layer in self.block[1:]:
            block2 = layer(block2, block)
        return self.final_layer_norm(block2)

class T5Stack2(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, d_model)
        self.block = nn.ModuleList([T5Block3() if i == 0 else T5Block4() for i in range(num_decoder_layers)])
        self.final_layer_norm = nn.RMSNorm(d_model, eps=layer_norm_epsilon)

    def forward(self, ids, y):
        block, block2 = self.block[0](self.embed_tokens(ids), y)
        for layer in self.block[1:]:
            block2 = layer(block2, block, y)
        return self.final_layer_norm(block2)

class T5ForConditionalGeneration(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Embedding(vocab_size, d_model)
        self.encoder = T5Stack()
        self.decoder = T5Stack2()
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
        self.encoder.embed_tokens.weight = self.shared.weight
        self.decoder.embed_tokens.weight = self.shared.weight
        self.lm_head.weight = self.shared.weight

    def forward(self, input_ids, decoder_input_ids):
        return self.lm_head(self.decoder(decoder_input_ids, self.encoder(input_ids)) * (d_model ** -0.5))

input_ids = Tensor((B, S), "int64")
decoder_input_ids = Tensor((B, T), "int64")
model = T5ForConditionalGeneration().to(torch.bfloat16)
logits = model(input_ids, decoder_input_ids)
