# BLOOM: BloomModel of transformers 5.24.0, traced by torch 2.13.0.

class BloomModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.word_embeddings_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)
        self.h = nn.ModuleList([BloomBlock() for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        arange = torch.arange(n_head)
        mul = torch.where(arange < alibi_heads, arange + 1, arange - alibi_heads + 0.5) * (-8)
        mul2 = (2.0 ** (mul / alibi_heads)).unsqueeze(1).unsqueeze(2) * torch.arange(S)
        to = mul2.repeat(B, 1, 1).to(torch.bfloat16)
        x = self.word_embeddings_layernorm(self.word_embeddings(input_ids))
        for layer in self.h:
            x = layer(x, to)
        return self.ln_f(x)

input_ids = Tensor((B, S), "int64")
model = BloomModel().to(torch.bfloat16)
y = model(input_ids)

# BLOOM: BloomForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2
pad_token_id = 0

class BloomForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = BloomModel()
        self.score = nn.Linear(hidden_size, num_labels, bias=False)

    def forward(self, input_ids):
        B = input_ids.shape[0]
        mul = torch.arange(S, dtype=torch.int32) * (input_ids != pad_token_id).to(torch.int32)
        return self.score(self.transformer(input_ids))[torch.arange(B), mul.argmax(-1)]

input_ids = Tensor((B, S), "int64")
model = BloomForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# BLOOM: BloomForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class BloomForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = BloomModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = BloomForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# BLOOM: BloomForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class BloomForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = BloomModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.transformer(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = BloomForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)
