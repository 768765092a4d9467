# ELECTRA, its larger models: ElectraForPreTraining of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of ELECTRA Base; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 512
vocab_size = 30522
hidden_size = 768
intermediate_size = 3072
num_hidden_layers = 12
num_attention_heads = 12
layer_norm_eps = 1e-12
max_position_embeddings = 512
type_vocab_size = 2

mesh = Mesh(dp=8, tp=8)

class ElectraEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "position_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.register_buffer(
            "token_type_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, ids):
        B = ids.shape[0]
        part = self.position_ids[..., :S]
        token_type_embeddings = self.token_type_embeddings(self.token_type_ids.gather(1, part).expand(B, S))
        x = self.word_embeddings(ids) + token_type_embeddings + self.position_embeddings(part)
        return self.LayerNorm(x)

class ElectraSelfAttention(nn.Module):
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

class ElectraSelfOutput(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, x, y):
        return self.LayerNorm(self.dense(x) + y)

class ElectraIntermediate(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, intermediate_size)

    def forward(self, x):
        return F.gelu(self.dense(x))

class ElectraOutput(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(intermediate_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, x, y):
        return self.LayerNorm(self.dense(x) + y)

class ElectraDiscriminatorPredictions(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.dense_prediction = nn.Linear(hidden_size, 1)

    def forward(self, x):
        return self.dense_prediction(F.gelu(self.dense(x))).squeeze(-1)

class ElectraAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.self = ElectraSelfAttention()
        self.output = ElectraSelfOutput()

    def forward(self, x):
        return self.output(self.self(x), x)

class ElectraLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = ElectraAttention()
        self.intermediate = ElectraIntermediate()
        self.output = ElectraOutput()

    def forward(self, x):
        attention_ = self.attention(x)
        return self.output(self.intermediate(attention_), attention_)

class ElectraEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ModuleList([ElectraLayer() for _ in range(num_hidden_layers)])

    def forward(self, x):
        for layer in self.layer:
            x = layer(x)
        return x

class ElectraModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = ElectraEmbeddings()
        self.encoder = ElectraEncoder()

    def forward(self, ids):
        return self.encoder(self.embeddings(ids))

class ElectraForPreTraining(nn.Module):
    def __init__(self):
        super().__init__()
        self.electra = ElectraModel()
        self.discriminator_predictions = ElectraDiscriminatorPredictions()

    def forward(self, input_ids):
        return self.discriminator_predictions(self.electra(input_ids))

input_ids = Tensor((B, S), "int64")
model = ElectraForPreTraining().to(torch.bfloat16)
y = model(input_ids)
