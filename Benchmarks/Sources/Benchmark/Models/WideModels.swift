// Models that differ in nothing but the number of their properties, for the measurements of growth. Even properties are integers,
// odd ones strings.

internal import Sluice

/// An object of one key.
@JSONModel
struct Wide1: Codable, Equatable, Sendable {
    var p0: Int
}

/// Every key of an object of 10.
@JSONModel
struct Wide10: Codable, Equatable, Sendable {
    var p0: Int, p1: String, p2: Int, p3: String, p4: Int
    var p5: String, p6: Int, p7: String, p8: Int, p9: String
}

/// Every key of an object of 50.
@JSONModel
struct Wide50: Codable, Equatable, Sendable {
    var p0: Int, p1: String, p2: Int, p3: String, p4: Int
    var p5: String, p6: Int, p7: String, p8: Int, p9: String
    var p10: Int, p11: String, p12: Int, p13: String, p14: Int
    var p15: String, p16: Int, p17: String, p18: Int, p19: String
    var p20: Int, p21: String, p22: Int, p23: String, p24: Int
    var p25: String, p26: Int, p27: String, p28: Int, p29: String
    var p30: Int, p31: String, p32: Int, p33: String, p34: Int
    var p35: String, p36: Int, p37: String, p38: Int, p39: String
    var p40: Int, p41: String, p42: Int, p43: String, p44: Int
    var p45: String, p46: Int, p47: String, p48: Int, p49: String
}

/// Every key of an object of 200.
@JSONModel
struct Wide200: Codable, Equatable, Sendable {
    var p0: Int, p1: String, p2: Int, p3: String, p4: Int
    var p5: String, p6: Int, p7: String, p8: Int, p9: String
    var p10: Int, p11: String, p12: Int, p13: String, p14: Int
    var p15: String, p16: Int, p17: String, p18: Int, p19: String
    var p20: Int, p21: String, p22: Int, p23: String, p24: Int
    var p25: String, p26: Int, p27: String, p28: Int, p29: String
    var p30: Int, p31: String, p32: Int, p33: String, p34: Int
    var p35: String, p36: Int, p37: String, p38: Int, p39: String
    var p40: Int, p41: String, p42: Int, p43: String, p44: Int
    var p45: String, p46: Int, p47: String, p48: Int, p49: String
    var p50: Int, p51: String, p52: Int, p53: String, p54: Int
    var p55: String, p56: Int, p57: String, p58: Int, p59: String
    var p60: Int, p61: String, p62: Int, p63: String, p64: Int
    var p65: String, p66: Int, p67: String, p68: Int, p69: String
    var p70: Int, p71: String, p72: Int, p73: String, p74: Int
    var p75: String, p76: Int, p77: String, p78: Int, p79: String
    var p80: Int, p81: String, p82: Int, p83: String, p84: Int
    var p85: String, p86: Int, p87: String, p88: Int, p89: String
    var p90: Int, p91: String, p92: Int, p93: String, p94: Int
    var p95: String, p96: Int, p97: String, p98: Int, p99: String
    var p100: Int, p101: String, p102: Int, p103: String, p104: Int
    var p105: String, p106: Int, p107: String, p108: Int, p109: String
    var p110: Int, p111: String, p112: Int, p113: String, p114: Int
    var p115: String, p116: Int, p117: String, p118: Int, p119: String
    var p120: Int, p121: String, p122: Int, p123: String, p124: Int
    var p125: String, p126: Int, p127: String, p128: Int, p129: String
    var p130: Int, p131: String, p132: Int, p133: String, p134: Int
    var p135: String, p136: Int, p137: String, p138: Int, p139: String
    var p140: Int, p141: String, p142: Int, p143: String, p144: Int
    var p145: String, p146: Int, p147: String, p148: Int, p149: String
    var p150: Int, p151: String, p152: Int, p153: String, p154: Int
    var p155: String, p156: Int, p157: String, p158: Int, p159: String
    var p160: Int, p161: String, p162: Int, p163: String, p164: Int
    var p165: String, p166: Int, p167: String, p168: Int, p169: String
    var p170: Int, p171: String, p172: Int, p173: String, p174: Int
    var p175: String, p176: Int, p177: String, p178: Int, p179: String
    var p180: Int, p181: String, p182: Int, p183: String, p184: Int
    var p185: String, p186: Int, p187: String, p188: Int, p189: String
    var p190: Int, p191: String, p192: Int, p193: String, p194: Int
    var p195: String, p196: Int, p197: String, p198: Int, p199: String
}

/// 1 key out of 50.
@JSONModel
struct Share1: Codable, Equatable, Sendable {
    var p24: Int
}

/// 5 keys out of 50.
@JSONModel
struct Share5: Codable, Equatable, Sendable {
    var p4: Int, p14: Int, p24: Int, p34: Int, p44: Int
}

/// 10 keys out of 50.
@JSONModel
struct Share10: Codable, Equatable, Sendable {
    var p4: Int, p9: String, p14: Int, p19: String, p24: Int
    var p29: String, p34: Int, p39: String, p44: Int, p49: String
}

/// 25 keys out of 50.
@JSONModel
struct Share25: Codable, Equatable, Sendable {
    var p0: Int, p4: Int, p8: Int, p12: Int, p16: Int
    var p20: Int, p24: Int, p28: Int, p32: Int, p36: Int
    var p40: Int, p44: Int, p48: Int, p1: String, p5: String
    var p9: String, p13: String, p17: String, p21: String, p25: String
    var p29: String, p33: String, p37: String, p41: String, p45: String
}
