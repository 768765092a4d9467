# ModernBERT: ModernBertForMaskedLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of ModernBERT Large; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 8192
vocab_size = 50368
hidden_size = 1024
intermediate_size = 2624
num_attention_heads = 16
num_hidden_layers = 28
norm_eps = 1e-05
local_attention = 128
global_rope_theta = 160000.0
local_rope_theta = 10000.0
attention_bias = False
mlp_bias = False
norm_bias = False
decoder_bias = True

mesh = Mesh(dp=8, tp=8)

class ModernBertEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.norm = nn.LayerNorm(hidden_size, eps=norm_eps, bias=norm_bias)

    def forward(self, ids):
        return self.norm(self.tok_embeddings(ids))

class ModernBertAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.Wqkv = nn.Linear(hidden_size, 3 * hidden_size, bias=attention_bias)
        self.Wo = nn.Linear(hidden_size, hidden_size, bias=attention_bias)

    def forward(self, x):
        B = x.shape[0]
        first, second, third = self.Wqkv(x).view(B, S, 3, -1, hidden_size // num_attention_heads).unbind(-3)
        v = third.transpose(1, 2)
        q = rotary(first.transpose(1, 2), base=global_rope_theta)
        k = rotary(second.transpose(1, 2), base=global_rope_theta)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(hidden_size // num_attention_heads) ** -0.5
        ).transpose(1, 2)
        return self.Wo(transpose.reshape(B, S, -1))

class ModernBertMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.Wi = nn.Linear(hidden_size, 2 * intermediate_size, bias=mlp_bias)
        self.Wo = nn.Linear(intermediate_size, hidden_size, bias=mlp_bias)

    def forward(self, x):
        first, second = self.Wi(x).split(intermediate_size, dim=-1)
        return self.Wo(F.gelu(first) * second)

class ModernBertAttention2(nn.Module):
    def __init__(self):
        super().__init__()
        self.Wqkv = nn.Linear(hidden_size, 3 * hidden_size, bias=attention_bias)
        self.Wo = nn.Linear(hidden_size, hidden_size, bias=attention_bias)

    def forward(self, x, mask):
        B = x.shape[0]
        first, second, third = self.Wqkv(x).view(B, S, 3, -1, hidden_size // num_attention_heads).unbind(-3)
        v = third.transpose(1, 2)
        q = rotary(first.transpose(1, 2), base=local_rope_theta)
        k = rotary(second.transpose(1, 2), base=local_rope_theta)
        attended = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, scale=(hidden_size // num_attention_heads) ** -0.5
        )
        return self.Wo(attended.transpose(1, 2).reshape(B, S, -1))

class ModernBertPredictionHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size, bias=False)
        self.norm = nn.LayerNorm(hidden_size, eps=norm_eps, bias=norm_bias)

    def forward(self, x):
        return self.norm(F.gelu(self.dense(x)))

class ModernBertEncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = ModernBertAttention()
        self.mlp_norm = nn.LayerNorm(hidden_size, eps=norm_eps, bias=norm_bias)
        self.mlp = ModernBertMLP()

    def forward(self, x, mask):
        x = x + self.attn(x)
        return x + self.mlp(self.mlp_norm(x))

class ModernBertEncoderLayer2(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn_norm = nn.LayerNorm(hidden_size, eps=norm_eps, bias=norm_bias)
        self.attn = ModernBertAttention2()
        self.mlp_norm = nn.LayerNorm(hidden_size, eps=norm_eps, bias=norm_bias)
        self.mlp = ModernBertMLP()

    def forward(self, x, mask):
        x = x + self.attn(self.attn_norm(x), mask)
        return x + self.mlp(self.mlp_norm(x))

class ModernBertEncoderLayer3(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn_norm = nn.LayerNorm(hidden_size, eps=norm_eps, bias=norm_bias)
        self.attn = ModernBertAttention()
        self.mlp_norm = nn.LayerNorm(hidden_size, eps=norm_eps, bias=norm_bias)
        self.mlp = ModernBertMLP()

    def forward(self, x, mask):
        x = x + self.attn(self.attn_norm(x))
        return x + self.mlp(self.mlp_norm(x))

class ModernBertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = ModernBertEmbeddings()
        self.layers = nn.ModuleList([
            ModernBertEncoderLayer() if i == 0 else (ModernBertEncoderLayer3() if i % 3 == 0 else ModernBertEncoderLayer2())
            for i in range(num_hidden_layers)
        ])
        self.final_norm = nn.LayerNorm(hidden_size, eps=norm_eps, bias=norm_bias)

    def forward(self, ids):
        B = ids.shape[0]
        unsqueeze = torch.arange(S).unsqueeze(0).unsqueeze(1)
        le = (unsqueeze.unsqueeze(3) - unsqueeze.unsqueeze(2)).abs() <= local_attention // 2
        expand = le.expand(B, -1, S, S)
        x = self.embeddings(ids)
        for layer in self.layers:
            x = layer(x, expand)
        return self.final_norm(x)

class ModernBertForMaskedLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = ModernBertModel()
        self.head = ModernBertPredictionHead()
        self.decoder = nn.Linear(hidden_size, vocab_size, bias=decoder_bias)
        self.decoder.weight = self.model.embeddings.tok_embeddings.weight

    def forward(self, input_ids):
        return self.decoder(self.head(self.model(input_ids)))

input_ids = Tensor((B, S), "int64")
model = ModernBertForMaskedLM().to(torch.bfloat16)
y = model(input_ids)
