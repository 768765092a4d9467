# StarCoder: GPTBigCodeModel of transformers 5.24.0, traced by torch 2.13.0.

class GPTBigCodeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.wpe = nn.Embedding(n_positions, n_embd)
        self.h = nn.ModuleList([GPTBigCodeBlock() for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd, eps=layer_norm_epsilon)

    def forward(self, input_ids):
        x = self.wte(input_ids) + self.wpe(torch.arange(S).unsqueeze(0))
        for layer in self.h:
            x = layer(x)
        return self.ln_f(x)

input_ids = Tensor((B, S), "int64")
model = GPTBigCodeModel().to(torch.bfloat16)
y = model(input_ids)

# StarCoder: GPTBigCodeForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class GPTBigCodeForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPTBigCodeModel()
        self.score = nn.Linear(n_embd, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.transformer(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = GPTBigCodeForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# StarCoder: GPTBigCodeForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class GPTBigCodeForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPTBigCodeModel()
        self.classifier = nn.Linear(n_embd, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = GPTBigCodeForTokenClassification().to(torch.bfloat16)
y = model(input_ids)
