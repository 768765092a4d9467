# Gemma 2: Gemma2Model of transformers 5.24.0, traced by torch 2.13.0.

class Gemma2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = Gemma2TextScaledWordEmbedding()
        self.layers = nn.ModuleList([
            Gemma2DecoderLayer(sliding_window if i % 2 == 0 else None)
            for i in range(num_hidden_layers)
        ])
        self.norm = Gemma2RMSNorm()

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = Gemma2Model().to(torch.bfloat16)
y = model(input_ids)

# Gemma 2: Gemma2ForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class Gemma2ForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Gemma2Model()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = Gemma2ForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# Gemma 2: Gemma2ForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class Gemma2ForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Gemma2Model()
        self.score = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.score(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Gemma2ForTokenClassification().to(torch.bfloat16)
y = model(input_ids)
