# Falcon 2: FalconModel of transformers 5.24.0, traced by torch 2.13.0.

class FalconModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.h = nn.ModuleList([FalconDecoderLayer() for _ in range(num_hidden_layers)])
        self.ln_f = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)

    def forward(self, input_ids):
        x = self.word_embeddings(input_ids)
        for layer in self.h:
            x = layer(x)
        return self.ln_f(x)

input_ids = Tensor((B, S), "int64")
model = FalconModel().to(torch.bfloat16)
y = model(input_ids)

# Falcon 2: FalconForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class FalconForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = FalconModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.transformer(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = FalconForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# Falcon 2: FalconForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class FalconForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = FalconModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = FalconForTokenClassification().to(torch.bfloat16)
y = model(input_ids)
