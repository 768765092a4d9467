# GLM 4 as first published: GlmModel of transformers 5.24.0, traced by torch 2.13.0.

class GlmModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([GlmDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = GlmModel().to(torch.bfloat16)
y = model(input_ids)

# GLM 4 as first published: GlmForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 151329

class GlmForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = GlmModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = GlmForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# GLM 4 as first published: GlmForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class GlmForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = GlmModel()
        self.score = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.score(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = GlmForTokenClassification().to(torch.bfloat16)
y = model(input_ids)
