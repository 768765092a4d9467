# Gemma 1: GemmaModel of transformers 5.24.0, traced by torch 2.13.0.

class GemmaModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = GemmaTextScaledWordEmbedding()
        self.layers = nn.ModuleList([GemmaDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = GemmaRMSNorm()

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = GemmaModel().to(torch.bfloat16)
y = model(input_ids)

# Gemma 1: GemmaForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class GemmaForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = GemmaModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = GemmaForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# Gemma 1: GemmaForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class GemmaForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = GemmaModel()
        self.score = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.score(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = GemmaForTokenClassification().to(torch.bfloat16)
y = model(input_ids)
