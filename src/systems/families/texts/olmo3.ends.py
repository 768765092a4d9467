# OLMo 3: Olmo3Model of transformers 5.24.0, traced by torch 2.13.0.

class Olmo3Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Olmo3DecoderLayer(None if i % 4 == 3 else sliding_window)
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = Olmo3Model().to(torch.bfloat16)
y = model(input_ids)

# OLMo 3: Olmo3ForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 1

class Olmo3ForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Olmo3Model()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = Olmo3ForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)
