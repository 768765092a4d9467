# StarCoder 2: Starcoder2Model of transformers 5.24.0, traced by torch 2.13.0.

class Starcoder2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([Starcoder2DecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.LayerNorm(hidden_size, eps=norm_epsilon)

    def forward(self, input_ids):
        x = self.embed_tokens(input_ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

input_ids = Tensor((B, S), "int64")
model = Starcoder2Model().to(torch.bfloat16)
y = model(input_ids)

# StarCoder 2: Starcoder2ForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class Starcoder2ForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Starcoder2Model()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.model(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = Starcoder2ForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# StarCoder 2: Starcoder2ForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class Starcoder2ForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Starcoder2Model()
        self.score = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.score(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Starcoder2ForTokenClassification().to(torch.bfloat16)
y = model(input_ids)
