# DistilBERT: DistilBertForMaskedLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of DistilBERT Base; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 512
vocab_size = 30522
dim = 768
hidden_dim = 3072
n_layers = 6
n_heads = 12
max_position_embeddings = 512

mesh = Mesh(dp=8, tp=8)

class Embeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "position_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.word_embeddings = nn.Embedding(vocab_size, dim)
        self.position_embeddings = nn.Embedding(max_position_embeddings, dim)
        self.LayerNorm = nn.LayerNorm(dim, eps=1e-12)

    def forward(self, ids):
        x = self.word_embeddings(ids) + self.position_embeddings(self.position_ids[..., :S])
        return self.LayerNorm(x)

class DistilBertSelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_lin = nn.Linear(dim, dim)
        self.k_lin = nn.Linear(dim, dim)
        self.v_lin = nn.Linear(dim, dim)
        self.out_lin = nn.Linear(dim, dim)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_lin(x).view(B, S, -1, dim // n_heads).transpose(1, 2)
        k = self.k_lin(x).view(B, S, -1, dim // n_heads).transpose(1, 2)
        v = self.v_lin(x).view(B, S, -1, dim // n_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(q, k, v, scale=(dim // n_heads) ** -0.5).transpose(1, 2)
        return self.out_lin(transpose.reshape(B, S, -1))

class FFN(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin1 = nn.Linear(dim, hidden_dim)
        self.lin2 = nn.Linear(hidden_dim, dim)

    def forward(self, x):
        return self.lin2(F.gelu(self.lin1(x)))

class TransformerBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = DistilBertSelfAttention()
        self.sa_layer_norm = nn.LayerNorm(dim, eps=1e-12)
        self.ffn = FFN()
        self.output_layer_norm = nn.LayerNorm(dim, eps=1e-12)

    def forward(self, x):
        sa_layer_norm = self.sa_layer_norm(self.attention(x) + x)
        return self.output_layer_norm(self.ffn(sa_layer_norm) + sa_layer_norm)

class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ModuleList([TransformerBlock() for _ in range(n_layers)])

    def forward(self, x):
        for layer in self.layer:
            x = layer(x)
        return x

class DistilBertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = Embeddings()
        self.transformer = Transformer()

    def forward(self, ids):
        return self.transformer(self.embeddings(ids))

class DistilBertForMaskedLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.distilbert = DistilBertModel()
        self.vocab_transform = nn.Linear(dim, dim)
        self.vocab_layer_norm = nn.LayerNorm(dim, eps=1e-12)
        self.vocab_projector = nn.Linear(dim, vocab_size)
        self.vocab_projector.weight = self.distilbert.embeddings.word_embeddings.weight

    def forward(self, input_ids):
        vocab_layer_norm = self.vocab_layer_norm(F.gelu(self.vocab_transform(self.distilbert(input_ids))))
        return self.vocab_projector(vocab_layer_norm)

input_ids = Tensor((B, S), "int64")
model = DistilBertForMaskedLM().to(torch.bfloat16)
y = model(input_ids)
