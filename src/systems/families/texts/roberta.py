# RoBERTa: RobertaForMaskedLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of RoBERTa Base; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 512
vocab_size = 50265
hidden_size = 768
intermediate_size = 3072
num_hidden_layers = 12
num_attention_heads = 12
max_position_embeddings = 514
type_vocab_size = 1
layer_norm_eps = 1e-05

mesh = Mesh(dp=8, tp=8)

class RobertaEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "token_type_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)

    def forward(self, ids):
        B = ids.shape[0]
        to = (ids != 1).to(torch.int32)
        x = (to.cumsum(1).to(torch.int32) * to).to(torch.int64) + 1
        token_type_embeddings = self.token_type_embeddings(self.token_type_ids.expand(B, -1).gather(1, x))
        x2 = self.word_embeddings(ids) + token_type_embeddings + self.position_embeddings(x)
        return self.LayerNorm(x2)

class RobertaSelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = self.query(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.key(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.value(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(hidden_size // num_attention_heads) ** -0.5
        ).transpose(1, 2)
        return transpose.reshape(B, S, -1)

class RobertaSelfOutput(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, x, y):
        return self.LayerNorm(self.dense(x) + y)

class RobertaIntermediate(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, intermediate_size)

    def forward(self, x):
        return F.gelu(self.dense(x))

class RobertaOutput(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(intermediate_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, x, y):
        return self.LayerNorm(self.dense(x) + y)

class RobertaLMHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.empty(vocab_size))
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.layer_norm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.decoder = nn.Linear(hidden_size, vocab_size)
        self.decoder.bias = self.bias

    def forward(self, x):
        return self.decoder(self.layer_norm(F.gelu(self.dense(x))))

class RobertaAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.self = RobertaSelfAttention()
        self.output = RobertaSelfOutput()

    def forward(self, x):
        return self.output(self.self(x), x)

class RobertaLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = RobertaAttention()
        self.intermediate = RobertaIntermediate()
        self.output = RobertaOutput()

    def forward(self, x):
        attention_ = self.attention(x)
        return self.output(self.intermediate(attention_), attention_)

class RobertaEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ModuleList([RobertaLayer() for _ in range(num_hidden_layers)])

    def forward(self, x):
        for layer in self.layer:
            x = layer(x)
        return x

class RobertaModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = RobertaEmbeddings()
        self.encoder = RobertaEncoder()

    def forward(self, ids):
        return self.encoder(self.embeddings(ids))

class RobertaForMaskedLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.roberta = RobertaModel()
        self.lm_head = RobertaLMHead()
        self.lm_head.decoder.weight = self.roberta.embeddings.word_embeddings.weight

    def forward(self, input_ids):
        return self.lm_head(self.roberta(input_ids))

input_ids = Tensor((B, S), "int64")
model = RobertaForMaskedLM().to(torch.bfloat16)
logits = model(input_ids)
