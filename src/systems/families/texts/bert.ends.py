# BERT: BertModel of transformers 5.24.0, traced by torch 2.13.0.

class BertPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

class BertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = BertEmbeddings()
        self.encoder = BertEncoder()
        self.pooler = BertPooler()

    def forward(self, input_ids):
        return self.encoder(self.embeddings(input_ids))

input_ids = Tensor((B, S), "int64")
model = BertModel().to(torch.bfloat16)
y = model(input_ids)

# BERT: BertForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class BertPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        return self.dense(x[:, 0]).tanh()

class BertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = BertEmbeddings()
        self.encoder = BertEncoder()
        self.pooler = BertPooler()

    def forward(self, ids):
        return self.pooler(self.encoder(self.embeddings(ids)))

class BertForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.bert(input_ids))

input_ids = Tensor((B, S), "int64")
model = BertForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# BERT: BertForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class BertForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel()
        self.classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.bert(input_ids))

input_ids = Tensor((B, S), "int64")
model = BertForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# BERT: BertForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class BertForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel()
        self.qa_outputs = nn.Linear(hidden_size, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.bert(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = BertForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)

# BERT: BertForNextSentencePrediction of transformers 5.24.0, traced by torch 2.13.0.

class BertPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        return self.dense(x[:, 0]).tanh()

class BertOnlyNSPHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.seq_relationship = nn.Linear(hidden_size, 2)

    def forward(self, x):
        return self.seq_relationship(x)

class BertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = BertEmbeddings()
        self.encoder = BertEncoder()
        self.pooler = BertPooler()

    def forward(self, ids):
        return self.pooler(self.encoder(self.embeddings(ids)))

class BertForNextSentencePrediction(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel()
        self.cls = BertOnlyNSPHead()

    def forward(self, input_ids):
        return self.cls(self.bert(input_ids))

input_ids = Tensor((B, S), "int64")
model = BertForNextSentencePrediction().to(torch.bfloat16)
y = model(input_ids)

# BERT: BertForPreTraining of transformers 5.24.0, traced by torch 2.13.0.

class BertPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        return self.dense(x[:, 0]).tanh()

class BertPreTrainingHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.predictions = BertLMPredictionHead()
        self.seq_relationship = nn.Linear(hidden_size, 2)

    def forward(self, x, y):
        return self.predictions(x), self.seq_relationship(y)

class BertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = BertEmbeddings()
        self.encoder = BertEncoder()
        self.pooler = BertPooler()

    def forward(self, ids):
        encoder = self.encoder(self.embeddings(ids))
        return encoder, self.pooler(encoder)

class BertForPreTraining(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel()
        self.cls = BertPreTrainingHeads()
        self.cls.predictions.decoder.weight = self.bert.embeddings.word_embeddings.weight

    def forward(self, input_ids):
        bert, bert2 = self.bert(input_ids)
        cls, cls2 = self.cls(bert, bert2)
        return cls, cls2

input_ids = Tensor((B, S), "int64")
model = BertForPreTraining().to(torch.bfloat16)
y0, y1 = model(input_ids)

# BERT: BertForMultipleChoice of transformers 5.24.0, traced by torch 2.13.0.

C = 2

class BertEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "position_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.register_buffer(
            "token_type_ids", torch.empty(1, max_position_embeddings, dtype=torch.int64), persistent=False
        )
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, ids):
        part = self.position_ids[..., :S]
        token_type_embeddings = self.token_type_embeddings(self.token_type_ids.gather(1, part).expand(B * C, S))
        x = self.word_embeddings(ids) + token_type_embeddings + self.position_embeddings(part)
        return self.LayerNorm(x)

class BertSelfAttention(nn.Module):
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

class BertPooler(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        return self.dense(x[:, 0]).tanh()

class BertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = BertEmbeddings()
        self.encoder = BertEncoder()
        self.pooler = BertPooler()

    def forward(self, ids):
        return self.pooler(self.encoder(self.embeddings(ids)))

class BertForMultipleChoice(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel()
        self.classifier = nn.Linear(hidden_size, 1)

    def forward(self, input_ids):
        return self.classifier(self.bert(input_ids.view(-1, S))).view(-1, C)

input_ids = Tensor((B, C, S), "int64")
model = BertForMultipleChoice().to(torch.bfloat16)
y = model(input_ids)
