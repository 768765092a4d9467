# ALBERT: AlbertForMaskedLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of ALBERT Base v2; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 512
vocab_size = 30000
hidden_size = 768
intermediate_size = 3072
num_hidden_layers = 12
num_attention_heads = 12
layer_norm_eps = 1e-12
embedding_size = 128
max_position_embeddings = 512
type_vocab_size = 2

mesh = Mesh(dp=8, tp=8)

class AlbertEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "position_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.register_buffer(
            "token_type_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.word_embeddings = nn.Embedding(vocab_size, embedding_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, embedding_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, embedding_size)
        self.LayerNorm = nn.LayerNorm(embedding_size, eps=layer_norm_eps)

    def forward(self, ids):
        B = ids.shape[0]
        part = self.position_ids[..., :S]
        token_type_embeddings = self.token_type_embeddings(self.token_type_ids.gather(1, part).expand(B, S))
        x = self.word_embeddings(ids) + token_type_embeddings + self.position_embeddings(part)
        return self.LayerNorm(x)

class AlbertAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        q = self.query(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.key(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.value(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(hidden_size // num_attention_heads) ** -0.5
        ).transpose(1, 2)
        return self.LayerNorm(x + self.dense(transpose.reshape(B, S, -1)))

class AlbertMLMHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.empty(vocab_size))
        self.LayerNorm = nn.LayerNorm(embedding_size, eps=layer_norm_eps)
        self.dense = nn.Linear(hidden_size, embedding_size)
        self.decoder = nn.Linear(embedding_size, vocab_size)
        self.decoder.bias = self.bias

    def forward(self, x):
        return self.decoder(self.LayerNorm(F.gelu(self.dense(x), approximate="tanh")))

class AlbertLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.full_layer_layer_norm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.attention = AlbertAttention()
        self.ffn = nn.Linear(hidden_size, intermediate_size)
        self.ffn_output = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        attention_ = self.attention(x)
        ffn_output = self.ffn_output(F.gelu(self.ffn(attention_), approximate="tanh"))
        return self.full_layer_layer_norm(ffn_output + attention_)

class AlbertLayerGroup(nn.Module):
    def __init__(self):
        super().__init__()
        self.albert_layers = nn.ModuleList([AlbertLayer()])

    def forward(self, x):
        return self.albert_layers[0](x)

class AlbertTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding_hidden_mapping_in = nn.Linear(embedding_size, hidden_size)
        self.albert_layer_groups = nn.ModuleList([AlbertLayerGroup()])

    def forward(self, x):
        x2 = self.embedding_hidden_mapping_in(x)
        for _ in range(num_hidden_layers):
            x2 = self.albert_layer_groups[0](x2)
        return x2

class AlbertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = AlbertEmbeddings()
        self.encoder = AlbertTransformer()

    def forward(self, ids):
        return self.encoder(self.embeddings(ids))

class AlbertForMaskedLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.albert = AlbertModel()
        self.predictions = AlbertMLMHead()
        self.predictions.decoder.weight = self.albert.embeddings.word_embeddings.weight

    def forward(self, input_ids):
        return self.predictions(self.albert(input_ids))

input_ids = Tensor((B, S), "int64")
model = AlbertForMaskedLM().to(torch.bfloat16)
y = model(input_ids)
