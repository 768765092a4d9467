# DistilBERT: DistilBertModel of transformers 5.24.0, traced by torch 2.13.0.

class DistilBertModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = Embeddings()
        self.transformer = Transformer()

    def forward(self, input_ids):
        return self.transformer(self.embeddings(input_ids))

input_ids = Tensor((B, S), "int64")
model = DistilBertModel().to(torch.bfloat16)
y = model(input_ids)

# DistilBERT: DistilBertForSequenceClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class DistilBertForSequenceClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.distilbert = DistilBertModel()
        self.pre_classifier = nn.Linear(dim, dim)
        self.classifier = nn.Linear(dim, num_labels)

    def forward(self, input_ids):
        return self.classifier(F.relu(self.pre_classifier(self.distilbert(input_ids)[:, 0])))

input_ids = Tensor((B, S), "int64")
model = DistilBertForSequenceClassification().to(torch.bfloat16)
y = model(input_ids)

# DistilBERT: DistilBertForTokenClassification of transformers 5.24.0, traced by torch 2.13.0.

num_labels = 2

class DistilBertForTokenClassification(nn.Module):
    def __init__(self):
        super().__init__()
        self.distilbert = DistilBertModel()
        self.classifier = nn.Linear(dim, num_labels)

    def forward(self, input_ids):
        return self.classifier(self.distilbert(input_ids))

input_ids = Tensor((B, S), "int64")
model = DistilBertForTokenClassification().to(torch.bfloat16)
y = model(input_ids)

# DistilBERT: DistilBertForQuestionAnswering of transformers 5.24.0, traced by torch 2.13.0.

class DistilBertForQuestionAnswering(nn.Module):
    def __init__(self):
        super().__init__()
        self.distilbert = DistilBertModel()
        self.qa_outputs = nn.Linear(dim, 2)

    def forward(self, input_ids):
        first, second = self.qa_outputs(self.distilbert(input_ids)).split(1, dim=-1)
        return first.squeeze(-1), second.squeeze(-1)

input_ids = Tensor((B, S), "int64")
model = DistilBertForQuestionAnswering().to(torch.bfloat16)
y0, y1 = model(input_ids)

# DistilBERT: DistilBertForMultipleChoice of transformers 5.24.0, traced by torch 2.13.0.

C = 2

class DistilBertSelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_lin = nn.Linear(dim, dim)
        self.k_lin = nn.Linear(dim, dim)
        self.v_lin = nn.Linear(dim, dim)
        self.out_lin = nn.Linear(dim, dim)

    def forward(self, x):
        q = self.q_lin(x).view(B * C, S, -1, dim // n_heads).transpose(1, 2)
        k = self.k_lin(x).view(B * C, S, -1, dim // n_heads).transpose(1, 2)
        v = self.v_lin(x).view(B * C, S, -1, dim // n_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(q, k, v, scale=(dim // n_heads) ** -0.5).transpose(1, 2)
        return self.out_lin(transpose.reshape(B * C, S, -1))

class DistilBertForMultipleChoice(nn.Module):
    def __init__(self):
        super().__init__()
        self.distilbert = DistilBertModel()
        self.pre_classifier = nn.Linear(dim, dim)
        self.classifier = nn.Linear(dim, 1)

    def forward(self, input_ids):
        pre_classifier = self.pre_classifier(self.distilbert(input_ids.view(-1, S))[:, 0])
        return self.classifier(F.relu(pre_classifier)).view(-1, C)

input_ids = Tensor((B, C, S), "int64")
model = DistilBertForMultipleChoice().to(torch.bfloat16)
y = model(input_ids)
