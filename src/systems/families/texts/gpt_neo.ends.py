# GPT-Neo: GPTNeoModel of transformers 5.24.0, traced by torch 2.13.0.

class GPTNeoModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, hidden_size)
        self.wpe = nn.Embedding(max_position_embeddings, hidden_size)
        self.h = nn.ModuleList([GPTNeoBlock(None if i % 2 == 0 else window_size) for i in range(num_layers)])
        self.ln_f = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)

    def forward(self, input_ids):
        x = self.wte(input_ids) + self.wpe(torch.arange(S).unsqueeze(0))
        for layer in self.h:
            x = layer(x)
        return self.ln_f(x)

input_ids = Tensor((B, S), "int64")
model = GPTNeoModel().to(torch.bfloat16)
y = model(input_ids)

# GPT-Neo: GPTNeoForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class GPTNeoForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPTNeoModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.transformer(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = GPTNeoForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# GPT-Neo: GPTNeoForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class GPTNeoForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPTNeoModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = GPTNeoForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# GPT-Neo: GPTNeoForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class GPTNeoForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPTNeoModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.transformer(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = GPTNeoForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
