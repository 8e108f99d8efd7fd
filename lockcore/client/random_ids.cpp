// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/random_ids.h"

#include <QByteArray>
#include <QRandomGenerator>
#include <QUuid>
#include <array>

namespace lockcore {

std::string randomUuid() { return QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString(); }

std::string randomRequestId()
{
    std::array<quint32, 4> words{};
    QRandomGenerator::global()->fillRange(words.data(), words.size());
    return QByteArray::fromRawData(reinterpret_cast<const char *>(words.data()), sizeof(words)).toHex().toStdString();
}

} // namespace lockcore
