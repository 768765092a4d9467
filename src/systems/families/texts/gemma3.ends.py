# Gemma 3: Gemma3TextModel of transformers 5.24.0, traced by torch 2.13.0.

class Gemma3TextModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = Gemma3TextScaledWordEmbedding()
        self.layers = nn.ModuleList([
            Gemma3DecoderLayer(
                base=rope_theta if i % 6 == 5 else rope_local_base_freq,
                window=None if i % 6 == 5 else sliding_window,
            )
            for i in range(num_hidden_layers)
        ])
        self.norm = Gemma3RMSNorm(hidden_size)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = Gemma3TextModel().to(torch.bfloat16)
y = model(input_ids)

# Gemma 3: Gemma3TextForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class Gemma3TextForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Gemma3TextModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = Gemma3TextForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)
