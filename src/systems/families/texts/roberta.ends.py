# RoBERTa: RobertaModel of transformers 5.24.0, traced by torch 2.13.0.

class RobertaPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

class RobertaModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = RobertaEmbeddings()
        self.encoder = RobertaEncoder()
        self.pooler = RobertaPooler()

    def forward(self, input_ids):
        return self.encoder(self.embeddings(input_ids))

input_ids = Tensor((B, S), "int64")
model = RobertaModel().to(torch.bfloat16)
y = model(input_ids)

# RoBERTa: RobertaForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class RobertaClassificationHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.out_proj = nn.Linear(hidden_size, num_labels)

    def forward(self, x):
        return self.out_proj(self.dense(x[:, 0]).tanh())

class RobertaForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.roberta = RobertaModel()
        self.classifier = RobertaClassificationHead()

    def forward(self, input_ids):
        return self.classifier(self.roberta(input_ids))

input_ids = Tensor((B, S), "int64")
model = RobertaForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# RoBERTa: RobertaForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class RobertaForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.roberta = RobertaModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.roberta(input_ids))

input_ids = Tensor((B, S), "int64")
model = RobertaForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# RoBERTa: RobertaForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class RobertaForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.roberta = RobertaModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.roberta(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = RobertaForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)

# RoBERTa: RobertaForMultipleChoice of transformers 5.24.0, traced by torch 2.13.0.

C = 2

class RobertaEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "token_type_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)

    def forward(self, ids):
        to = (ids != 1).to(torch.int32)
        x = (to.cumsum(1).to(torch.int32) * to).to(torch.int64) + 1
        token_type_embeddings = self.token_type_embeddings(self.token_type_ids.expand(B * C, -1).gather(1, x))
        x2 = self.word_embeddings(ids) + token_type_embeddings + self.position_embeddings(x)
        return self.LayerNorm(x2)

class RobertaSelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        q = self.query(x).view(B * C, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.key(x).view(B * C, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.value(x).view(B * C, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(hidden_size // num_attention_heads) ** -0.5
        ).transpose(1, 2)
        return transpose.reshape(B * C, S, -1)

class RobertaPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        return self.dense(x[:, 0]).tanh()

class RobertaModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = RobertaEmbeddings()
        self.encoder = RobertaEncoder()
        self.pooler = RobertaPooler()

    def forward(self, ids):
        return self.pooler(self.encoder(self.embeddings(ids)))

class RobertaForMultipleChoice(nn.Module):
    def __init__(self):
        super().__init__()
        self.roberta = RobertaModel()
        self.classifier = nn.Linear(hidden_size, 1)

    def forward(self, input_ids):
        return self.classifier(self.roberta(input_ids.view(-1, S))).view(-1, C)

input_ids = Tensor((B, C, S), "int64")
model = RobertaForMultipleChoice().to(torch.bfloat16)
y = model(input_ids)
