# Whisper: WhisperModel of transformers 5.24.0, traced by torch 2.13.0.

class WhisperModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = WhisperEncoder()
        self.decoder = WhisperDecoder()

    def forward(self, input_features, decoder_input_ids):
        return self.decoder(decoder_input_ids, self.encoder(input_features))

input_features = Tensor((B, num_mel_bins, 2 * max_source_positions), "bfloat16")
decoder_input_ids = Tensor((B, S), "int64")
model = WhisperModel().to(torch.bfloat16)
y = model(input_features, decoder_input_ids)
