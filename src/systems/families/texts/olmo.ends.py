# OLMo 1: OlmoModel of transformers 5.24.0, traced by torch 2.13.0.

class OlmoModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([OlmoDecoderLayer() for _ in range(num_hidden_layers)])

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return F.layer_norm(x.to(torch.float32), (hidden_size,), None, None, 1e-05).to(torch.bfloat16)

input_ids = Tensor((B, S), "int64")
model = OlmoModel().to(torch.bfloat16)
y = model(input_ids)

# OLMo 1: OlmoForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 1

class OlmoForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = OlmoModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = OlmoForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)
