# ALBERT: AlbertModel of transformers 5.24.0, traced by torch 2.13.0.

class AlbertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = AlbertEmbeddings()
        self.encoder = AlbertTransformer()
        self.pooler = nn.Linear(hidden_size, hidden_size)

    def forward(self, input_ids):
        return self.encoder(self.embeddings(input_ids))

input_ids = Tensor((B, S), "int64")
model = AlbertModel().to(torch.bfloat16)
y = model(input_ids)

# ALBERT: AlbertForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class AlbertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = AlbertEmbeddings()
        self.encoder = AlbertTransformer()
        self.pooler = nn.Linear(hidden_size, hidden_size)

    def forward(self, ids):
        return self.pooler(self.encoder(self.embeddings(ids))[:, 0]).tanh()

class AlbertForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.albert = AlbertModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.albert(input_ids))

input_ids = Tensor((B, S), "int64")
model = AlbertForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# ALBERT: AlbertForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class AlbertForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.albert = AlbertModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.albert(input_ids))

input_ids = Tensor((B, S), "int64")
model = AlbertForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# ALBERT: AlbertForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class AlbertForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.albert = AlbertModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.albert(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = AlbertForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)

# ALBERT: AlbertForMultipleChoice of transformers 5.24.0, traced by torch 2.13.0.

C = 2

class AlbertEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "position_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.register_buffer(
            "token_type_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.word_embeddings = nn.Embedding(vocab_size, embedding_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, embedding_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, embedding_size)
        self.LayerNorm = nn.LayerNorm(embedding_size, eps=layer_norm_eps)

    def forward(self, ids):
        part = self.position_ids[..., :S]
        token_type_embeddings = self.token_type_embeddings(self.token_type_ids.gather(1, part).expand(B * C, S))
        x = self.word_embeddings(ids) + token_type_embeddings + self.position_embeddings(part)
        return self.LayerNorm(x)

class AlbertAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, x):
        q = self.query(x).view(B * C, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.key(x).view(B * C, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.value(x).view(B * C, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(hidden_size // num_attention_heads) ** -0.5
        ).transpose(1, 2)
        return self.LayerNorm(x + self.dense(transpose.reshape(B * C, S, -1)))

class AlbertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = AlbertEmbeddings()
        self.encoder = AlbertTransformer()
        self.pooler = nn.Linear(hidden_size, hidden_size)

    def forward(self, ids):
        return self.pooler(self.encoder(self.embeddings(ids))[:, 0]).tanh()

class AlbertForMultipleChoice(nn.Module):
    def __init__(self):
        super().__init__()
        self.albert = AlbertModel()
        self.classifier = nn.Linear(hidden_size, 1)

    def forward(self, input_ids):
        return self.classifier(self.albert(input_ids.view(-1, S))).view(-1, C)

input_ids = Tensor((B, C, S), "int64")
model = AlbertForMultipleChoice().to(torch.bfloat16)
y = model(input_ids)
