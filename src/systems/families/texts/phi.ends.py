# Phi 1, 1.5 and 2: PhiModel of transformers 5.24.0, traced by torch 2.13.0.

class PhiModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([PhiDecoderLayer() for _ in range(num_hidden_layers)])
        self.final_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.final_layernorm(x)

input_ids = Tensor((B, S), "int64")
model = PhiModel().to(torch.bfloat16)
y = model(input_ids)

# Phi 1, 1.5 and 2: PhiForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class PhiForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = PhiModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = PhiForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# Phi 1, 1.5 and 2: PhiForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class PhiForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = PhiModel()
        self.score = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.score(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = PhiForTokenClassification().to(torch.bfloat16)
y = model(input_ids)
